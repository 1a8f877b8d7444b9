/* A program under test that is nothing but system calls, to prove what a backend of faultrun.py sees.
 *   callprobe HOW call NAME DIR     makes the one call NAME and prints "RESULT ERRNO" (DIR as selftest.py prepares it)
 *   callprobe HOW list              the names that this HOW knows
 *   callprobe HOW store safe|naive DIR TEXT    a small store: DIR/item.txt gets TEXT, by tmp + fsync + renameat2, or in
 * place HOW: libc, syscall (the libc function syscall()), asm (inline system calls: no LD_PRELOAD shim can see them;
 * x86_64). Linked with -static, none of the three can be seen by a shim.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
static int how; /* 0 libc, 1 syscall(), 2 asm */
static long in(long n, long a, long b, long c, long d, long e, long f) {
#ifdef __x86_64__
    if (how == 2) {
        register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
        long r;
        __asm__ volatile("syscall"
                         : "=a"(r)
                         : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                         : "rcx", "r11", "memory");
        if (r < 0 && r > -4096) {
            errno = (int)-r;
            return -1;
        }
        return r;
    }
#endif
    return syscall(n, a, b, c, d, e, f);
}
#define K(n, a, b, c, d, e, f) in(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
static char data[4096];
static const char *want;
static int listing;
static int is(const char *n) {
    if (listing) {
        puts(n);
        return 0;
    }
    return !strcmp(n, want);
}
static int two(int libc_too, const char *n) {
    return (how == 0) == (libc_too == 1) || libc_too == 2 ? is(n) : 0;
}
/* first value for libc, second for syscall() and asm */
#define CALL(n, l, k)                                                                                                  \
    if (two(2, n))                                                                                                     \
    return how ? (long)(k) : (long)(l)
#define ONLY_LIBC(n, l)                                                                                                \
    if (two(1, n))                                                                                                     \
    return (long)(l)
#define ONLY_SYS(n, k)                                                                                                 \
    if (two(0, n))                                                                                                     \
    return (long)(k)
static long one(const char *dir) {
    int d = -1, f = -1, s = -1;
    char *map = 0;
    FILE *fp;
    char t[4200] = "";
    struct iovec v[2] = {{data, 2048}, {data + 2048, 2048}};
    struct {
        unsigned long long flags, mode, resolve;
    } oh = {O_CREAT | O_WRONLY, 0644, 0x08 | 0x04}, ot = {O_TMPFILE | O_WRONLY, 0644, 0};
    if (!listing) {
        if (chdir(dir))
            return -2;
        d = open(".", O_RDONLY | O_DIRECTORY);
        f = open("dst", O_RDWR);
        s = open("src", O_RDONLY);
        if (d < 0 || f < 0 || s < 0)
            return -2;
        map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
        if (map == MAP_FAILED)
            return -2;
        map[0] = 'm';
        errno = 0;
        snprintf(t, sizeof t, "%s/tmpXXXXXX", dir);
    }
    CALL("write", write(f, data, 4096), K(SYS_write, f, data, 4096, 0, 0, 0));
    CALL("pwrite", pwrite(f, data, 4096, 0), K(SYS_pwrite64, f, data, 4096, 0, 0, 0));
    CALL("writev", writev(f, v, 2), K(SYS_writev, f, v, 2, 0, 0, 0));
    CALL("pwritev", pwritev(f, v, 2, 0), K(SYS_pwritev, f, v, 2, 0, 0, 0));
    CALL("pwritev2", pwritev2(f, v, 2, 0, 0), K(SYS_pwritev2, f, v, 2, 0, 0, 0));
    CALL("copy_file_range", copy_file_range(s, 0, f, 0, 4096, 0), K(SYS_copy_file_range, s, 0, f, 0, 4096, 0));
    CALL("sendfile", sendfile(f, s, 0, 4096), K(SYS_sendfile, f, s, 0, 4096, 0, 0));
    CALL("fsync", fsync(f), K(SYS_fsync, f, 0, 0, 0, 0, 0));
    CALL("fdatasync", fdatasync(f), K(SYS_fdatasync, f, 0, 0, 0, 0, 0));
    CALL("syncfs", syncfs(d), K(SYS_syncfs, d, 0, 0, 0, 0, 0));
    CALL("sync_file_range", sync_file_range(f, 0, 0, 2), K(SYS_sync_file_range, f, 0, 0, 2, 0, 0));
    CALL("msync", msync(map, 4096, MS_SYNC), K(SYS_msync, map, 4096, MS_SYNC, 0, 0, 0));
    CALL("ftruncate", ftruncate(f, 100), K(SYS_ftruncate, f, 100, 0, 0, 0, 0));
    CALL("truncate", truncate("dst", 100), K(SYS_truncate, "dst", 100, 0, 0, 0, 0));
    CALL("fallocate", fallocate(f, 0, 0, 8192), K(SYS_fallocate, f, 0, 0, 8192, 0, 0));
    ONLY_LIBC("posix_fallocate", (errno = posix_fallocate(f, 0, 8192)) ? -1 : 0);
    CALL("openat-creat", openat(d, "new", O_CREAT | O_WRONLY, 0644),
         K(SYS_openat, d, "new", O_CREAT | O_WRONLY, 0644, 0, 0));
    CALL("openat-tmpfile", openat(d, ".", O_TMPFILE | O_WRONLY, 0644),
         K(SYS_openat, d, ".", O_TMPFILE | O_WRONLY, 0644, 0, 0));
    CALL("open-trunc", open("dst", O_WRONLY | O_TRUNC), K(SYS_openat, AT_FDCWD, "dst", O_WRONLY | O_TRUNC, 0, 0, 0));
    ONLY_SYS("openat2-creat", K(SYS_openat2, d, "new", &oh, sizeof oh, 0, 0));
    ONLY_SYS("openat2-tmpfile", K(SYS_openat2, d, ".", &ot, sizeof ot, 0, 0));
    ONLY_LIBC("creat", creat("new", 0644));
    ONLY_LIBC("mkstemp", mkstemp(t));
    ONLY_LIBC("fopen", (fp = fopen("new", "w")) ? 0 : -1);
    ONLY_LIBC("rename", rename("src", "dst"));
    ONLY_LIBC("renameat", renameat(d, "src", d, "dst"));
    CALL("renameat2", renameat2(d, "src", d, "dst", 2),
         K(SYS_renameat2, d, "src", d, "dst", 2, 0)); /* RENAME_EXCHANGE */
    ONLY_LIBC("link", link("src", "new"));
    CALL("linkat", linkat(d, "src", d, "new", 0), K(SYS_linkat, d, "src", d, "new", 0, 0));
    CALL("symlinkat", symlinkat("src", d, "new"), K(SYS_symlinkat, "src", d, "new", 0, 0, 0));
    ONLY_LIBC("unlink", unlink("src"));
    CALL("unlinkat", unlinkat(d, "src", 0), K(SYS_unlinkat, d, "src", 0, 0, 0, 0));
    CALL("unlinkat-dir", unlinkat(d, "sub", AT_REMOVEDIR), K(SYS_unlinkat, d, "sub", AT_REMOVEDIR, 0, 0, 0));
    ONLY_LIBC("rmdir", rmdir("sub"));
    ONLY_LIBC("remove", remove("src"));
    ONLY_LIBC("mkdir", mkdir("new", 0755));
    CALL("mkdirat", mkdirat(d, "new", 0755), K(SYS_mkdirat, d, "new", 0755, 0, 0, 0));
    ONLY_LIBC("mkdtemp", mkdtemp(t) ? 0 : -1);
    (void)fp;
    return -3;
}
static int must(long r, const char *what) {
    if (r < 0) {
        perror(what);
        exit(1);
    }
    return (int)r;
}
static void all(int f, const char *p, size_t n) {
    for (size_t chunk = n / 2 + 1; n;) {
        long k = how ? K(SYS_write, f, p, n < chunk ? n : chunk, 0, 0, 0) : write(f, p, n < chunk ? n : chunk);
        if (k < 0 && errno == EINTR)
            continue;
        must(k, "write");
        p += k;
        n -= (size_t)k;
    }
}
static int again(const char *what, int d, const char *n, int fl) {
    for (;;) {
        long r = how ? K(SYS_openat, d, n, fl, 0644, 0, 0) : openat(d, n, fl, 0644);
        if (r >= 0 || errno != EINTR)
            return must(r, what);
    }
}
static void flush(int f) {
    for (;;) {
        long r = how ? K(SYS_fsync, f, 0, 0, 0, 0, 0) : fsync(f);
        if (r >= 0 || errno != EINTR) {
            must(r, "fsync");
            return;
        }
    }
}
static void store(int safe, const char *dir, const char *text) {
    int d = again("open", AT_FDCWD, dir, O_RDONLY | O_DIRECTORY);
    if (!safe) {
        int f = again("open", d, "item.txt", O_CREAT | O_WRONLY | O_TRUNC);
        all(f, text, strlen(text));
        flush(f);
        return;
    }
    int f = again("open", d, "tmp", O_CREAT | O_WRONLY | O_TRUNC);
    all(f, text, strlen(text));
    flush(f);
    must(how ? K(SYS_renameat2, d, "tmp", d, "item.txt", 0, 0) : renameat2(d, "tmp", d, "item.txt", 0), "rename");
    flush(d);
}
int main(int c, char **v) {
    if (c < 3)
        return 2;
    how = !strcmp(v[1], "syscall") ? 1 : !strcmp(v[1], "asm") ? 2 : 0;
    want = c > 3 ? v[3] : "";
    memset(data, 'n', sizeof data);
    if (!strcmp(v[2], "list")) {
        listing = 1;
        one(".");
        return 0;
    }
    if (!strcmp(v[2], "store") && c == 6) {
        store(!strcmp(v[3], "safe"), v[4], v[5]);
        return 0;
    }
    if (strcmp(v[2], "call") || c != 5)
        return 2;
    errno = 0;
    long r = one(v[4]);
    if (r < -1) {
        fprintf(stderr, "not probed\n");
        return 3;
    }
    printf("%ld %d\n", r >= 0 && r < 4096 && strstr(v[3], "open") ? 0 : r, r < 0 ? errno : 0);
    return 0;
}
