// Linux calls that Swift's Glibc module does not offer, as inline wrappers.
//
// A call is here for one of these reasons: it is variadic (open with a mode, syscall), it needs _GNU_SOURCE
// (renameat2, copy_file_range), its header is not in the module (statfs), or glibc has no wrapper for it before 2.43
// (openat2). Each returns the result of the call, with errno set. Nothing is retried here (Files/SystemCall.swift does
// that).
#ifndef STUFFBUCKET_CSYSTEM_SHIM_H
#define STUFFBUCKET_CSYSTEM_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

// Variadic in C: the mode is read only with O_CREAT or O_TMPFILE.
static inline int csystem_openat(int directory, const char *path, int flags, mode_t mode) {
    return openat(directory, path, flags, mode);
}

// openat2(2) with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS: the kernel refuses `..`, absolute paths and symbolic links
// anywhere in the path (EXDEV, ELOOP). Linux 5.6; ENOSYS before, EPERM under some seccomp filters.
static inline int csystem_openat2_beneath(int directory, const char *path, int flags, mode_t mode) {
    struct open_how how = {
        .flags = (uint64_t)(unsigned int)flags,
        .mode = (flags & O_CREAT) ? (uint64_t)mode : 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

// getdents64(2): reads the names of a folder without the three further calls of opendir(3).
static inline long csystem_getdents(int directory, void *buffer, size_t count) {
    return syscall(SYS_getdents64, directory, buffer, count);
}

// renameat2(2) needs _GNU_SOURCE. Flags: RENAME_EXCHANGE or RENAME_NOREPLACE.
static inline int csystem_rename_exchange(int d1, const char *p1, int d2, const char *p2) {
    return renameat2(d1, p1, d2, p2, RENAME_EXCHANGE);
}

static inline int csystem_rename_noreplace(int d1, const char *p1, int d2, const char *p2) {
    return renameat2(d1, p1, d2, p2, RENAME_NOREPLACE);
}

// FICLONE from <linux/fs.h>, which clashes with <sys/mount.h>: the number is part of the kernel's ABI.
static inline int csystem_clone_file(int to, int from) {
    return ioctl(to, 0x40049409UL, from);
}

// posix_spawn_file_actions_addclosefrom_np of glibc 2.34, which Swift's module omits. Declared here, since <spawn.h>
// includes <sys/select.h>, whose fd_set under _GNU_SOURCE differs from that of Swift's module.
extern int csystem_addclosefrom(void *actions, int lowest) __asm__("posix_spawn_file_actions_addclosefrom_np");
static inline int csystem_spawn_close_from(void *actions, int lowest) {
    return csystem_addclosefrom(actions, lowest);
}

// A file without a name in an open folder, or -1. O_TMPFILE needs _GNU_SOURCE; not every file system has it.
static inline int csystem_unnamed_file(int directory, mode_t mode) {
    return openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

// <sys/xattr.h> includes fd_set, whose members under _GNU_SOURCE differ from those in Swift's Glibc module.
extern ssize_t flistxattr(int descriptor, char *names, size_t size);
extern ssize_t fgetxattr(int descriptor, const char *name, void *value, size_t size);
extern int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags);

// Copies extended attributes and access lists from one file to another, as far as possible. Attributes that give rights to a
// program are not copied, since the bytes differ.
static inline void csystem_copy_attributes(int from, int to) {
    char names[65536];
    ssize_t count = flistxattr(from, names, sizeof names);
    for (ssize_t at = 0; at < count; at += (ssize_t)strlen(names + at) + 1) {
        char value[65536];
        if (strcmp(names + at, "security.capability") == 0 || strncmp(names + at, "trusted.", 8) == 0) continue;
        ssize_t size = fgetxattr(from, names + at, value, sizeof value);
        if (size >= 0) (void)fsetxattr(to, names + at, value, (size_t)size, 0);
    }
}

// An extended attribute of an open file: its size, or -1.
static inline ssize_t csystem_attribute(int descriptor, const char *name, void *value, size_t size) {
    return fgetxattr(descriptor, name, value, size);
}

// Takes a read lease (fcntl(2), F_SETLEASE) and gives it back: 0, or errno. A lease that is broken meanwhile sends SIGIO,
// which would end the process; SIGURG is ignored unless a program asks for it. F_SETSIG and F_SETLEASE need _GNU_SOURCE.
static inline int csystem_try_read_lease(int descriptor) {
    if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return errno;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) return errno;
    (void)fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}

// copy_file_range(2) needs _GNU_SOURCE. Copies from and to the files' positions.
static inline ssize_t csystem_copy_file_range(int from, int to, size_t count) {
    return copy_file_range(from, NULL, to, NULL, count, 0);
}

static inline int csystem_set_attribute(int descriptor, const char *name, const void *value, size_t size) {
    return fsetxattr(descriptor, name, value, size, 0);
}

// syncfs(2) needs _GNU_SOURCE.
static inline int csystem_syncfs(int descriptor) {
    return syncfs(descriptor);
}

// sync_file_range(2) needs _GNU_SOURCE. Begins to write the file's bytes to the disk, and does not wait.
static inline int csystem_begin_writing(int descriptor) {
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

// memfd_create(2) needs _GNU_SOURCE. Its descriptor is closed by exec.
static inline int csystem_file_in_memory(void) {
    return (int)syscall(SYS_memfd_create, "sbfs", 1 /* MFD_CLOEXEC */);
}

// pipe2(2) needs _GNU_SOURCE; exec closes both ends.
static inline int csystem_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC);
}

// Lets a pipe hold so many bytes, where the system allows it (F_SETPIPE_SZ needs _GNU_SOURCE).
static inline void csystem_set_pipe_size(int end, int count) { (void)fcntl(end, F_SETPIPE_SZ, count); }

// Variadic in C. From then on the process leaves no core file, and no other process of its user can read its memory.
static inline int csystem_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// write(2) to a pipe whose reader may be gone: EPIPE instead of a signal that would end the process. The signal is
// blocked for this thread while it writes, and removed if it came from this write.
static inline ssize_t csystem_write_without_signal(int descriptor, const void *bytes, size_t count) {
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t written = write(descriptor, bytes, count);
    int error = errno;
    if (written < 0 && error == EPIPE && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE)) {
        struct timespec now = {0, 0};
        sigtimedwait(&broken, NULL, &now);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

// statx(2) needs _GNU_SOURCE. The time of birth of an open file in nanoseconds since 1970, or 0 if the file system
// does not record it.
static inline int64_t csystem_birth(int descriptor) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME)) return 0;
    return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

// statfs(2): the type of the file system of an open file, or 0 if unknown.
static inline uint32_t csystem_file_system(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 ? (uint32_t)status.f_type : 0;
}

#endif
