/* LD_PRELOAD fault injector: one process-wide counter over the calls below (strace's `when=` counts per thread and
 * call). FS_MODE  kill | error | sticky | short | eintr | race | count      FS_N  the call that is hit (1-based)
 * FS_ERRNO number for error/sticky      FS_PATH  only calls whose path (or fd's path) is this one or below it
 * FS_CALLS comma list of kinds or names (default all)     FS_LOG   a file that receives what was hit (count: all that
 * was seen) FS_RACE  race: a shell command run, and waited for, before call FS_N proceeds; its output goes to
 * FS_LOG.race Kinds (names): write (write pwrite writev pwritev pwritev2 copy_file_range sendfile ficlone), fsync
 * (fsync fdatasync syncfs sync sync_file_range), msync, ftruncate (ftruncate truncate), fallocate (fallocate
 * posix_fallocate), open (every open that may write or create: open openat openat2 creat O_TMPFILE mkstemp fopen),
 * rename, link (link linkat symlink symlinkat), unlink (unlink unlinkat rmdir remove), mkdir (mkdir mkdirat mkdtemp).
 * Each through libc and through syscall(). Not seen: static programs, inline system calls, io_uring, stdio's own writes
 * (fwrite, fflush), stores to a mapping. A file without a name below FS_PATH (pipe, socket, memfd) and descriptors 0 to
 * 2 are left alone. build: cc -shared -fPIC -O1 -o faultshim.so faultshim.c -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef FICLONE
#define FICLONE 0x40049409
#define FICLONERANGE 0x4020940D
#endif
extern char **environ;
static int counter;
#define REAL(name)                                                                                                     \
    static __typeof__(&name) r;                                                                                        \
    if (!r)                                                                                                            \
    r = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
static long raw(long n, long a, long b, long c, long d, long e, long f) {
    REAL(syscall);
    return r(n, a, b, c, d, e, f);
}
#define RAW(n, a, b, c, d) raw(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static const char *fd_path(int fd, char *b, size_t n) {
    char p[40];
    snprintf(p, sizeof p, "/proc/self/fd/%d", fd);
    long k = RAW(SYS_readlinkat, AT_FDCWD, p, b, n - 1);
    if (k < 0)
        return "";
    b[k] = 0;
    return b;
}
static const char *at_path(int d, const char *a, char *b,
                           size_t n) { /* the full path of a name relative to a descriptor */
    if (!a)
        return d >= 0 ? fd_path(d, b, n) : "";
    if (a[0] == '/')
        return a;
    char base[4096];
    if (d == AT_FDCWD) {
        if (!getcwd(base, sizeof base))
            return "";
    } else {
        fd_path(d, base, sizeof base);
        if (!*base)
            return "";
    }
    snprintf(b, n, *a ? "%s/%s" : "%s", base, a);
    return b;
}
/* Whether the line is in the log: a confined process cannot open it. */
static int note(const char *kind, const char *name, const char *path, int n, const char *what) {
    const char *l = getenv("FS_LOG");
    if (!l)
        return 1;
    char m[900];
    int k = snprintf(m, sizeof m, "%d %s %s:%s %.700s\n", n, what, kind, name, path);
    int fd = (int)RAW(SYS_openat, AT_FDCWD, l, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0)
        return 0;
    RAW(SYS_write, fd, m, k, 0);
    RAW(SYS_close, fd, 0, 0, 0);
    return 1;
}
static int below(const char *path, const char *pre) {
    size_t L = strlen(pre);
    return !strncmp(path, pre, L) && (!path[L] || path[L] == '/' || (L && pre[L - 1] == '/'));
}
static int listed(const char *list, const char *w) {
    size_t L = strlen(w);
    for (const char *q = list; q;) {
        const char *e = strchr(q, ',');
        if ((e ? (size_t)(e - q) : strlen(q)) == L && !strncmp(q, w, L))
            return 1;
        q = e ? e + 1 : 0;
    }
    return 0;
}
static void race(const char *name) {
    const char *cmd = getenv("FS_RACE"), *l = getenv("FS_LOG");
    if (!cmd)
        return;
    int n = 0, k = 0;
    while (environ[n])
        n++;
    char *env[n + 1], out[4200];
    snprintf(out, sizeof out, "%s.race", l ? l : "/dev/null");
    for (int i = 0; i < n; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) && strncmp(environ[i], "FS_", 3))
            env[k++] = environ[i];
    env[k] = 0;
    char *argv[] = {"sh", "-c", (char *)cmd, 0};
    posix_spawn_file_actions_t fa;
    pid_t pid;
    int st = -1;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, l ? out : "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&fa, 1, 2);
    int e = posix_spawn(&pid, "/bin/sh", &fa, 0, argv, env);
    if (!e)
        while (waitpid(pid, &st, 0) < 0 && errno == EINTR) {
        }
    posix_spawn_file_actions_destroy(&fa);
    if (e || st)
        note("race", name, cmd, e ? e : st, "RACE-FAILED");
}
/* 0: run the call; >0: fail with this errno; -1: short */
static int hit(const char *kind, const char *name, const char *path, const char *other) {
    const char *mode = getenv("FS_MODE");
    if (!mode)
        return 0;
    const char *pre = getenv("FS_PATH"), *calls = getenv("FS_CALLS");
    if (pre && *pre && !below(path, pre)) {
        if (!other || !below(other, pre))
            return 0;
        path = other;
    }
    if (calls && *calls && !listed(calls, kind) && !listed(calls, name))
        return 0;
    int n = __atomic_add_fetch(&counter, 1, __ATOMIC_SEQ_CST), want = atoi(getenv("FS_N") ? getenv("FS_N") : "0");
    if (!strcmp(mode, "count")) {
        note(kind, name, path, n, "seen");
        return 0;
    }
    int sticky = !strcmp(mode, "sticky");
    if (n != want && !(sticky && n > want))
        return 0;
    /* A fault that nobody learns of would be a riddle: none reaches a confined process. */
    int before = errno, is_told = note(kind, name, path, n, "HIT");
    errno = before;
    if (!is_told)
        return 0;
    if (!strcmp(mode, "kill")) {
        RAW(SYS_kill, getpid(), SIGKILL, 0, 0);
        for (;;)
            pause();
    }
    if (!strcmp(mode, "race")) {
        int e = errno;
        race(name);
        errno = e;
        return 0;
    }
    if (!strcmp(mode, "short"))
        return -1;
    if (!strcmp(mode, "eintr"))
        return EINTR;
    return atoi(getenv("FS_ERRNO") ? getenv("FS_ERRNO") : "28");
}
static int hit_fd(const char *kind, const char *name, int fd) {
    char p[4200];
    if (fd < 0 || (fd <= 2 && !strcmp(kind, "write")))
        return 0;
    int e = errno;
    fd_path(fd, p, sizeof p);
    errno = e;
    return p[0] == '/' ? hit(kind, name, p, 0) : 0;
}
static int hit_at(const char *kind, const char *name, int d, const char *a) {
    char p[8400];
    int e = errno;
    const char *q = at_path(d, a, p, sizeof p);
    errno = e;
    return *q ? hit(kind, name, q, 0) : 0;
}
static int hit_2(const char *kind, const char *name, int x, const char *a, int y,
                 const char *b) { /* a rename or link: its new name, else its old one */
    char p[8400], o[8400];
    int e = errno;
    const char *q = at_path(y, b, p, sizeof p), *s = at_path(x, a, o, sizeof o);
    errno = e;
    return hit(kind, name, q, s);
}
static int hit_map(void *a, size_t n) { /* msync: the file mapped at this address */
    char line[4400], p[4200] = "";
    unsigned long lo, hi, v = (unsigned long)a;
    int e = errno;
    int fd = (int)RAW(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    size_t k = 0;
    char c, buf[4096];
    long got;
    (void)n;
    if (fd < 0)
        return 0;
    while (!*p && (got = RAW(SYS_read, fd, buf, sizeof buf, 0)) > 0)
        for (long i = 0; i < got && !*p; i++) {
            if ((c = buf[i]) != '\n') {
                if (k < sizeof line - 1)
                    line[k++] = c;
                continue;
            }
            line[k] = 0;
            k = 0;
            char *s = strchr(line, '/');
            if (s && sscanf(line, "%lx-%lx", &lo, &hi) == 2 && lo <= v && v < hi)
                snprintf(p, sizeof p, "%s", s);
        }
    RAW(SYS_close, fd, 0, 0, 0);
    errno = e;
    return *p ? hit("msync", "msync", p, 0) : 0;
}
static int half_iov(const struct iovec *v, int c, struct iovec *out, int max) { /* the first half of the bytes */
    size_t all = 0;
    int k = 0;
    for (int i = 0; i < c; i++)
        all += v[i].iov_len;
    for (size_t left = all / 2; k < c && k < max && left; k++) {
        out[k] = v[k];
        if (out[k].iov_len > left)
            out[k].iov_len = left;
        left -= out[k].iov_len;
    }
    return k;
}
#define FAIL(x)                                                                                                        \
    do {                                                                                                               \
        int e_ = (x);                                                                                                  \
        if (e_ > 0) {                                                                                                  \
            errno = e_;                                                                                                \
            return -1;                                                                                                 \
        }                                                                                                              \
    } while (0)
#define HALF(x, n)                                                                                                     \
    do {                                                                                                               \
        int h_ = (x);                                                                                                  \
        if (h_ > 0) {                                                                                                  \
            errno = h_;                                                                                                \
            return -1;                                                                                                 \
        }                                                                                                              \
        if (h_ < 0 && (n) > 1)                                                                                         \
            (n) /= 2;                                                                                                  \
    } while (0)
#define HALFV(x)                                                                                                       \
    struct iovec o_[64];                                                                                               \
    do {                                                                                                               \
        int h_ = (x);                                                                                                  \
        if (h_ > 0) {                                                                                                  \
            errno = h_;                                                                                                \
            return -1;                                                                                                 \
        }                                                                                                              \
        if (h_ < 0) {                                                                                                  \
            int k_ = half_iov(v, c, o_, 64);                                                                           \
            if (k_) {                                                                                                  \
                v = o_;                                                                                                \
                c = k_;                                                                                                \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

ssize_t write(int fd, const void *b, size_t n) {
    REAL(write);
    HALF(hit_fd("write", "write", fd), n);
    return r(fd, b, n);
}
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) {
    REAL(pwrite64);
    HALF(hit_fd("write", "pwrite", fd), n);
    return r(fd, b, n, o);
}
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) {
    return pwrite64(fd, b, n, o);
}
ssize_t writev(int fd, const struct iovec *v, int c) {
    REAL(writev);
    HALFV(hit_fd("write", "writev", fd));
    return r(fd, v, c);
}
ssize_t pwritev64(int fd, const struct iovec *v, int c, off64_t o) {
    REAL(pwritev64);
    HALFV(hit_fd("write", "pwritev", fd));
    return r(fd, v, c, o);
}
ssize_t pwritev(int fd, const struct iovec *v, int c, off_t o) {
    return pwritev64(fd, v, c, o);
}
ssize_t pwritev64v2(int fd, const struct iovec *v, int c, off64_t o, int f) {
    REAL(pwritev64v2);
    HALFV(hit_fd("write", "pwritev2", fd));
    return r(fd, v, c, o, f);
}
ssize_t pwritev2(int fd, const struct iovec *v, int c, off_t o, int f) {
    return pwritev64v2(fd, v, c, o, f);
}
ssize_t copy_file_range(int a, off64_t *x, int b, off64_t *y, size_t n, unsigned f) {
    REAL(copy_file_range);
    HALF(hit_fd("write", "copy_file_range", b), n);
    return r(a, x, b, y, n, f);
}
ssize_t sendfile64(int out, int in, off64_t *o, size_t n) {
    REAL(sendfile64);
    HALF(hit_fd("write", "sendfile", out), n);
    return r(out, in, o, n);
}
ssize_t sendfile(int out, int in, off_t *o, size_t n) {
    return sendfile64(out, in, o, n);
}
int ioctl(int fd, unsigned long q, ...) {
    REAL(ioctl);
    va_list ap;
    va_start(ap, q);
    void *a = va_arg(ap, void *);
    va_end(ap);
    if (q == FICLONE || q == FICLONERANGE)
        FAIL(hit_fd("write", "ficlone", fd));
    return r(fd, q, a);
}
int fsync(int fd) {
    REAL(fsync);
    FAIL(hit_fd("fsync", "fsync", fd));
    return r(fd);
}
int fdatasync(int fd) {
    REAL(fdatasync);
    FAIL(hit_fd("fsync", "fdatasync", fd));
    return r(fd);
}
int syncfs(int fd) {
    REAL(syncfs);
    FAIL(hit_fd("fsync", "syncfs", fd));
    return r(fd);
}
int sync_file_range(int fd, off64_t o, off64_t n, unsigned f) {
    REAL(sync_file_range);
    FAIL(hit_fd("fsync", "sync_file_range", fd));
    return r(fd, o, n, f);
}
void sync(void) {
    REAL(sync);
    const char *p = getenv("FS_PATH");
    hit("fsync", "sync", p ? p : "/", 0);
    r();
}
int msync(void *a, size_t n, int f) {
    REAL(msync);
    FAIL(hit_map(a, n));
    return r(a, n, f);
}
int ftruncate64(int fd, off64_t n) {
    REAL(ftruncate64);
    FAIL(hit_fd("ftruncate", "ftruncate", fd));
    return r(fd, n);
}
int ftruncate(int fd, off_t n) {
    return ftruncate64(fd, n);
}
int truncate64(const char *a, off64_t n) {
    REAL(truncate64);
    FAIL(hit_at("ftruncate", "truncate", AT_FDCWD, a));
    return r(a, n);
}
int truncate(const char *a, off_t n) {
    return truncate64(a, n);
}
int fallocate64(int fd, int m, off64_t o, off64_t n) {
    REAL(fallocate64);
    FAIL(hit_fd("fallocate", "fallocate", fd));
    return r(fd, m, o, n);
}
int fallocate(int fd, int m, off_t o, off_t n) {
    return fallocate64(fd, m, o, n);
}
int posix_fallocate64(int fd, off64_t o, off64_t n) {
    REAL(posix_fallocate64);
    int h = hit_fd("fallocate", "posix_fallocate", fd);
    return h > 0 ? h : r(fd, o, n);
} /* returns its error */
int posix_fallocate(int fd, off_t o, off_t n) {
    return posix_fallocate64(fd, o, n);
}
int rename(const char *a, const char *b) {
    REAL(rename);
    FAIL(hit_2("rename", "rename", AT_FDCWD, a, AT_FDCWD, b));
    return r(a, b);
}
int renameat(int x, const char *a, int y, const char *b) {
    REAL(renameat);
    FAIL(hit_2("rename", "renameat", x, a, y, b));
    return r(x, a, y, b);
}
int renameat2(int x, const char *a, int y, const char *b, unsigned f) {
    REAL(renameat2);
    FAIL(hit_2("rename", "renameat2", x, a, y, b));
    return r(x, a, y, b, f);
}
int link(const char *a, const char *b) {
    REAL(link);
    FAIL(hit_2("link", "link", AT_FDCWD, a, AT_FDCWD, b));
    return r(a, b);
}
int linkat(int x, const char *a, int y, const char *b, int f) {
    REAL(linkat);
    FAIL(hit_2("link", "linkat", x, a, y, b));
    return r(x, a, y, b, f);
}
int symlink(const char *a, const char *b) {
    REAL(symlink);
    FAIL(hit_at("link", "symlink", AT_FDCWD, b));
    return r(a, b);
}
int symlinkat(const char *a, int y, const char *b) {
    REAL(symlinkat);
    FAIL(hit_at("link", "symlinkat", y, b));
    return r(a, y, b);
}
int unlink(const char *a) {
    REAL(unlink);
    FAIL(hit_at("unlink", "unlink", AT_FDCWD, a));
    return r(a);
}
int unlinkat(int x, const char *a, int f) {
    REAL(unlinkat);
    FAIL(hit_at("unlink", "unlinkat", x, a));
    return r(x, a, f);
}
int rmdir(const char *a) {
    REAL(rmdir);
    FAIL(hit_at("unlink", "rmdir", AT_FDCWD, a));
    return r(a);
}
int remove(const char *a) {
    REAL(remove);
    FAIL(hit_at("unlink", "remove", AT_FDCWD, a));
    return r(a);
}
int mkdir(const char *a, mode_t m) {
    REAL(mkdir);
    FAIL(hit_at("mkdir", "mkdir", AT_FDCWD, a));
    return r(a, m);
}
int mkdirat(int x, const char *a, mode_t m) {
    REAL(mkdirat);
    FAIL(hit_at("mkdir", "mkdirat", x, a));
    return r(x, a, m);
}
char *mkdtemp(char *t) {
    REAL(mkdtemp);
    int h = hit_at("mkdir", "mkdtemp", AT_FDCWD, t);
    if (h > 0) {
        errno = h;
        return 0;
    }
    return r(t);
}
/* opens that may write or create. O_TMPFILE holds O_DIRECTORY's bit, so test it whole */
#define NEEDMODE(f) (((f) & O_CREAT) || ((f) & O_TMPFILE) == O_TMPFILE)
#define WR(f)                                                                                                          \
    (((f) & O_ACCMODE) == O_WRONLY || ((f) & O_ACCMODE) == O_RDWR || ((f) & (O_CREAT | O_TRUNC)) ||                    \
     ((f) & O_TMPFILE) == O_TMPFILE)
#define MODEARG                                                                                                        \
    mode_t m = 0;                                                                                                      \
    if (NEEDMODE(f)) {                                                                                                 \
        va_list ap;                                                                                                    \
        va_start(ap, f);                                                                                               \
        m = va_arg(ap, mode_t);                                                                                        \
        va_end(ap);                                                                                                    \
    }
#define OPEN(name, d, a, f) FAIL(WR(f) ? hit_at("open", name, d, a) : 0)
int open64(const char *a, int f, ...) {
    REAL(open64);
    MODEARG OPEN("open", AT_FDCWD, a, f);
    return r(a, f, m);
}
int open(const char *a, int f, ...) {
    MODEARG REAL(open64);
    OPEN("open", AT_FDCWD, a, f);
    return r(a, f, m);
}
int openat64(int d, const char *a, int f, ...) {
    REAL(openat64);
    MODEARG OPEN("openat", d, a, f);
    return r(d, a, f, m);
}
int openat(int d, const char *a, int f, ...) {
    MODEARG REAL(openat64);
    OPEN("openat", d, a, f);
    return r(d, a, f, m);
}
int __open_2(const char *a, int f) {
    REAL(open64);
    OPEN("open", AT_FDCWD, a, f);
    return r(a, f);
} /* _FORTIFY_SOURCE */
int __open64_2(const char *a, int f) {
    return __open_2(a, f);
}
int __openat_2(int d, const char *a, int f) {
    REAL(openat64);
    OPEN("openat", d, a, f);
    return r(d, a, f);
}
int __openat64_2(int d, const char *a, int f) {
    return __openat_2(d, a, f);
}
int creat64(const char *a, mode_t m) {
    REAL(creat64);
    FAIL(hit_at("open", "creat", AT_FDCWD, a));
    return r(a, m);
}
int creat(const char *a, mode_t m) {
    return creat64(a, m);
}
#define TEMP(fn, args, call)                                                                                           \
    int fn args {                                                                                                      \
        REAL(fn);                                                                                                      \
        FAIL(hit_at("open", "mkstemp", AT_FDCWD, t));                                                                  \
        return r call;                                                                                                 \
    }
TEMP(mkstemp, (char *t), (t))
TEMP(mkstemp64, (char *t), (t)) TEMP(mkostemp, (char *t, int f), (t, f)) TEMP(mkostemp64, (char *t, int f), (t, f))
    TEMP(mkstemps, (char *t, int s), (t, s)) TEMP(mkstemps64, (char *t, int s), (t, s))
        TEMP(mkostemps, (char *t, int s, int f), (t, s, f)) TEMP(mkostemps64, (char *t, int s, int f), (t, s, f))
#define FOPEN(fn)                                                                                                      \
    FILE *fn(const char *a, const char *w) {                                                                           \
        REAL(fn);                                                                                                      \
        int h = strpbrk(w, "wa+") ? hit_at("open", "fopen", AT_FDCWD, a) : 0;                                          \
        if (h > 0) {                                                                                                   \
            errno = h;                                                                                                 \
            return 0;                                                                                                  \
        }                                                                                                              \
        return r(a, w);                                                                                                \
    }
            FOPEN(fopen) FOPEN(fopen64)
/* the generic syscall(): the same calls by number */
#define S(x) (const char *)(x)
                long syscall(long n, ...) {
    va_list ap;
    va_start(ap, n);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(ap, long);
    va_end(ap);
    int h = 0;
    struct iovec o[64];
    const struct iovec *v = (const struct iovec *)a[1];
    int c = (int)a[2];
    switch (n) {
    case SYS_write:
        h = hit_fd("write", "write", (int)a[0]);
        if (h < 0 && a[2] > 1)
            a[2] /= 2;
        break;
    case SYS_pwrite64:
        h = hit_fd("write", "pwrite", (int)a[0]);
        if (h < 0 && a[2] > 1)
            a[2] /= 2;
        break;
    case SYS_writev:
        h = hit_fd("write", "writev", (int)a[0]);
        goto iov;
    case SYS_pwritev:
        h = hit_fd("write", "pwritev", (int)a[0]);
        goto iov;
    case SYS_pwritev2:
        h = hit_fd("write", "pwritev2", (int)a[0]);
    iov:
        if (h < 0) {
            int k = half_iov(v, c, o, 64);
            if (k) {
                a[1] = (long)o;
                a[2] = k;
            }
        }
        break;
    case SYS_copy_file_range:
        h = hit_fd("write", "copy_file_range", (int)a[2]);
        if (h < 0 && a[4] > 1)
            a[4] /= 2;
        break;
    case SYS_sendfile:
        h = hit_fd("write", "sendfile", (int)a[0]);
        if (h < 0 && a[3] > 1)
            a[3] /= 2;
        break;
    case SYS_ioctl:
        if (a[1] == FICLONE || a[1] == FICLONERANGE)
            h = hit_fd("write", "ficlone", (int)a[0]);
        break;
    case SYS_fsync:
        h = hit_fd("fsync", "fsync", (int)a[0]);
        break;
    case SYS_fdatasync:
        h = hit_fd("fsync", "fdatasync", (int)a[0]);
        break;
    case SYS_syncfs:
        h = hit_fd("fsync", "syncfs", (int)a[0]);
        break;
    case SYS_sync_file_range:
        h = hit_fd("fsync", "sync_file_range", (int)a[0]);
        break;
    case SYS_sync: {
        const char *p = getenv("FS_PATH");
        hit("fsync", "sync", p ? p : "/", 0);
        break;
    }
    case SYS_msync:
        h = hit_map((void *)a[0], (size_t)a[1]);
        break;
    case SYS_ftruncate:
        h = hit_fd("ftruncate", "ftruncate", (int)a[0]);
        break;
    case SYS_truncate:
        h = hit_at("ftruncate", "truncate", AT_FDCWD, S(a[0]));
        break;
    case SYS_fallocate:
        h = hit_fd("fallocate", "fallocate", (int)a[0]);
        break;
    case SYS_openat:
        if (WR((int)a[2]))
            h = hit_at("open", "openat", (int)a[0], S(a[1]));
        break;
    case SYS_openat2:
        if (a[2] && WR((int)*(unsigned long long *)a[2]))
            h = hit_at("open", "openat2", (int)a[0], S(a[1]));
        break; /* open_how.flags comes first */
    case SYS_renameat2:
        h = hit_2("rename", "renameat2", (int)a[0], S(a[1]), (int)a[2], S(a[3]));
        break;
    case SYS_linkat:
        h = hit_2("link", "linkat", (int)a[0], S(a[1]), (int)a[2], S(a[3]));
        break;
    case SYS_symlinkat:
        h = hit_at("link", "symlinkat", (int)a[1], S(a[2]));
        break;
    case SYS_unlinkat:
        h = hit_at("unlink", "unlinkat", (int)a[0], S(a[1]));
        break;
    case SYS_mkdirat:
        h = hit_at("mkdir", "mkdirat", (int)a[0], S(a[1]));
        break;
#ifdef SYS_renameat
    case SYS_renameat:
        h = hit_2("rename", "renameat", (int)a[0], S(a[1]), (int)a[2], S(a[3]));
        break;
#endif
#ifdef SYS_open /* the old numbers: x86_64 only */
    case SYS_open:
        if (WR((int)a[1]))
            h = hit_at("open", "open", AT_FDCWD, S(a[0]));
        break;
    case SYS_creat:
        h = hit_at("open", "creat", AT_FDCWD, S(a[0]));
        break;
    case SYS_rename:
        h = hit_2("rename", "rename", AT_FDCWD, S(a[0]), AT_FDCWD, S(a[1]));
        break;
    case SYS_link:
        h = hit_2("link", "link", AT_FDCWD, S(a[0]), AT_FDCWD, S(a[1]));
        break;
    case SYS_symlink:
        h = hit_at("link", "symlink", AT_FDCWD, S(a[1]));
        break;
    case SYS_unlink:
        h = hit_at("unlink", "unlink", AT_FDCWD, S(a[0]));
        break;
    case SYS_rmdir:
        h = hit_at("unlink", "rmdir", AT_FDCWD, S(a[0]));
        break;
    case SYS_mkdir:
        h = hit_at("mkdir", "mkdir", AT_FDCWD, S(a[0]));
        break;
#endif
    }
    if (h > 0) {
        errno = h;
        return -1;
    }
    return raw(n, a[0], a[1], a[2], a[3], a[4], a[5]);
}
