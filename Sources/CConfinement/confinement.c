#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CConfinement.h"

struct cconfinement_landlock_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

// These numbers are the same on every architecture.
#define CCONFINEMENT_LANDLOCK_CREATE 444
#define CCONFINEMENT_LANDLOCK_ADD 445
#define CCONFINEMENT_LANDLOCK_RESTRICT 446

// The ABI's version, or -1 with errno.
int cconfinement_landlock_version(void) {
    return (int)syscall(CCONFINEMENT_LANDLOCK_CREATE, NULL, 0, 1);
}

int cconfinement_landlock_create(const struct cconfinement_landlock_ruleset *ruleset, size_t size) {
    return (int)syscall(CCONFINEMENT_LANDLOCK_CREATE, ruleset, size, 0);
}

int cconfinement_landlock_allow(int ruleset, int parent, uint64_t allowed) {
    struct cconfinement_landlock_beneath rule = {.allowed = allowed, .parent = parent};
    return (int)syscall(CCONFINEMENT_LANDLOCK_ADD, ruleset, 1, &rule, 0);
}

int cconfinement_landlock_restrict(int ruleset) {
    return (int)syscall(CCONFINEMENT_LANDLOCK_RESTRICT, ruleset, 0);
}

// prctl(2) is variadic.
int cconfinement_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
int cconfinement_has_no_new_privileges(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }
int cconfinement_not_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
int cconfinement_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

// seccomp(2) has no wrapper. The filter applies to all threads.
int cconfinement_seccomp(const struct cconfinement_instruction *instructions, unsigned short count) {
    struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

// Swift's module marks fork(2) as unavailable because a child of a process with threads may do almost nothing. Only for
// processes with one thread.
int cconfinement_fork(void) { return fork(); }

// An anonymous page that this process and its later children share; NULL if there is none.
void *cconfinement_shared_page(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? NULL : page;
}

// CMSG_* are macros. Sends at least one byte and optionally a descriptor (-1 for none).
long cconfinement_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = sizeof control.room;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    return TEMP_FAILURE_RETRY(sendmsg(socket, &message, MSG_NOSIGNAL));
}

// The descriptor is -1 if none was sent; exec closes it.
long cconfinement_receive_descriptor(int socket, void *bytes, size_t count, int *descriptor) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
    *descriptor = -1;
    ssize_t got = TEMP_FAILURE_RETRY(recvmsg(socket, &message, MSG_CMSG_CLOEXEC));
    if (got < 0) return got;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header))
        if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
            memcpy(descriptor, CMSG_DATA(header), sizeof(int));
    return got;
}


static int cconfinement_write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = write(file, text, strlen(text));
    close(file);
    return count < 0 ? -1 : 0;
}

// `0 0 1` for the given number, without printf: this runs between fork and exec.
static void cconfinement_identity_map(char *text, unsigned number) {
    char digits[12];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    char *next = text;
    for (int each = 0; each < 2; each++) {
        for (int place = count - 1; place >= 0; place--) *next++ = digits[place];
        *next++ = ' ';
    }
    *next++ = '1';
    *next = 0;
}

// Gives this process a network namespace with only a loopback interface, and makes a listening socket there.
static int cconfinement_lonely_listener(uint16_t port) {
    uid_t user = geteuid();
    gid_t group = getegid();
    if (unshare(CLONE_NEWNET) != 0) {
        if (user == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return -1;
        char text[40];
        cconfinement_identity_map(text, user);
        if (cconfinement_write_text("/proc/self/uid_map", text) != 0) return -1;
        cconfinement_write_text("/proc/self/setgroups", "deny");
        cconfinement_identity_map(text, group);
        if (cconfinement_write_text("/proc/self/gid_map", text) != 0) return -1;
    }
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    struct ifreq interface;
    memset(&interface, 0, sizeof interface);
    memcpy(interface.ifr_name, "lo", 3);
    interface.ifr_flags = IFF_UP | IFF_RUNNING;
    if (ioctl(listener, SIOCSIFFLAGS, &interface) != 0) return -1;
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 128) != 0) return -1;
    return listener;
}

// Starts a program in a new process group, with /dev/null as its first two descriptors.
//
// Returns its process number, or -1 with `report` filled (step 0: fork or socketpair failed). `listener` becomes the
// listening socket in its network namespace, or -1.
int cconfinement_start_program(
    const struct cconfinement_start *start, int *listener, struct cconfinement_start_report *report) {
    int pair[2];
    *listener = -1;
    report->step = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        report->number = errno;
        return -1;
    }
    pid_t child = fork();
    if (child < 0) {
        report->number = errno;
        close(pair[0]);
        close(pair[1]);
        return -1;
    }
    if (child == 0) {
        struct cconfinement_start_report said = {0, 0};
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        setpgid(0, 0);
        if (start->lonely_port) {
            int made = cconfinement_lonely_listener(start->lonely_port);
            said.step = CCONFINEMENT_STEP_NETWORK;
            said.number = made < 0 ? errno : 0;
            cconfinement_send_descriptor(pair[1], &said, sizeof said, made);
            if (made < 0) _exit(127);
        }
        // The kernel kills it first when memory runs out. Has no effect without /proc.
        cconfinement_write_text("/proc/self/oom_score_adj", "500");
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        if (start->data_limit) {
            struct rlimit data = {start->data_limit, start->data_limit};
            setrlimit(RLIMIT_DATA, &data);
        }
        if (start->changes_user
            && (setgroups(0, NULL) != 0 || setresgid(start->group, start->group, start->group) != 0
                || setresuid(start->user, start->user, start->user) != 0)) {
            said.step = CCONFINEMENT_STEP_USER;
            said.number = errno;
            cconfinement_send_descriptor(pair[1], &said, sizeof said, -1);
            _exit(127);
        }
        // Above the program's own descriptors.
        int reports = fcntl(pair[1], F_DUPFD_CLOEXEC, 10);
        dup2(null, 0);
        dup2(null, 1);
        dup2(start->errors, 2);
        dup2(start->messages, 3);
        dup2(start->messages, 4);
        for (int number = 5; number < 256; number++)
            if (number != reports) close(number);
        sigset_t signals;
        sigemptyset(&signals);
        struct sigaction standard;
        memset(&standard, 0, sizeof standard);
        standard.sa_handler = SIG_DFL;
        for (int number = 1; number < 32; number++) sigaction(number, &standard, NULL);
        sigprocmask(SIG_SETMASK, &signals, NULL);
        execve(start->words[0], start->words, start->environment);
        said.step = CCONFINEMENT_STEP_EXEC;
        said.number = errno;
        cconfinement_send_descriptor(reports, &said, sizeof said, -1);
        _exit(127);
    }
    close(pair[1]);
    // Returns at the child's exec or its end.
    while (1) {
        struct cconfinement_start_report said = {0, 0};
        int descriptor;
        ssize_t count = cconfinement_receive_descriptor(pair[0], &said, sizeof said, &descriptor);
        if (count != sizeof said) break;
        if (descriptor >= 0) *listener = descriptor;
        if (said.number != 0) {
            *report = said;
            if (*listener >= 0) close(*listener);
            *listener = -1;
            close(pair[0]);
            // The child ends by itself. Without a wait it would stay as a zombie.
            (void)TEMP_FAILURE_RETRY(waitpid(child, NULL, 0));
            return -1;
        }
    }
    close(pair[0]);
    return child;
}

// MARK: Actions that a confined process must not be able to perform, for tests from inside

int cconfinement_trial_fork(void) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    return child;
}

int cconfinement_trial_trace(int process) { return (int)ptrace(PTRACE_ATTACH, process, NULL, NULL); }
int cconfinement_trial_namespace(void) { return unshare(CLONE_NEWUSER); }
int cconfinement_trial_call(int number, long argument) {
    return (int)syscall(number, argument, 0, 0, 0, 0, 0);
}

// TIOCSTI types into an open terminal.
int cconfinement_trial_type(const char *text) { return ioctl(2, TIOCSTI, text); }

// Lowers a limit, which only a filter can refuse.
int cconfinement_trial_limit(void) {
    struct rlimit limit = {64, 64};
    return (int)syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
}

int cconfinement_trial_executable(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? -1 : mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

// getpid with its number for 32-bit programs.
int cconfinement_trial_foreign(void) {
#if defined(__x86_64__)
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
    return result;
#else
    errno = ENOSYS;
    return -1;
#endif
}
