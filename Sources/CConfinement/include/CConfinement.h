// Calls for giving up rights, starting children with fewer rights, and passing descriptors.
//
// This target is in C because these calls are variadic, or macros, or have no wrapper in the C library, and because no Swift
// code may run between fork and exec. The header includes no header of sockets or processes: their types would then differ
// from those of Swift's Glibc module.
#ifndef STUFFBUCKET_CCONFINEMENT_H
#define STUFFBUCKET_CCONFINEMENT_H

#include <stddef.h>
#include <stdint.h>

// One instruction of classic BPF: `struct sock_filter` of <linux/filter.h>.
struct cconfinement_instruction {
    uint16_t code;
    uint8_t jt;
    uint8_t jf;
    uint32_t k;
};

// As the kernel's `struct landlock_ruleset_attr`: <linux/landlock.h> of Debian 12 knows neither network rules nor scopes.
// Source: Documentation/userspace-api/landlock.rst.
struct cconfinement_landlock_ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

// MARK: A program with fewer rights and its own network namespace

struct cconfinement_start {
    char *const *words;
    char *const *environment;
    // The program's descriptors 2, and 3 and 4. Their numbers here are 10 or above.
    int errors;
    int messages;
    // The user as whom it runs; used only if `changes_user` is set.
    uint32_t user;
    uint32_t group;
    int changes_user;
    // Gives it a network namespace whose only exit is a listening socket on this loopback port; 0 for none.
    uint16_t lonely_port;
    // The limit of private writable memory for each of its processes, in bytes; 0 for no limit.
    uint64_t data_limit;
};

// The child's report: the step that failed, and errno.
struct cconfinement_start_report {
    int32_t step;
    int32_t number;
};
enum { CCONFINEMENT_STEP_NETWORK = 1, CCONFINEMENT_STEP_USER = 2, CCONFINEMENT_STEP_EXEC = 3 };

// The ABI's version, or -1 with errno.
int cconfinement_landlock_version(void);
int cconfinement_landlock_create(const struct cconfinement_landlock_ruleset *ruleset, size_t size);
int cconfinement_landlock_allow(int ruleset, int parent, uint64_t allowed);
int cconfinement_landlock_restrict(int ruleset);
int cconfinement_no_new_privileges(void);
int cconfinement_has_no_new_privileges(void);
int cconfinement_not_dumpable(void);
int cconfinement_die_with_parent(void);
// Sets a filter for all threads.
int cconfinement_seccomp(const struct cconfinement_instruction *instructions, unsigned short count);
// fork(2), which Swift's module marks as unavailable because a child of a process with threads may do almost nothing.
// Only for processes with one thread.
int cconfinement_fork(void);
// An anonymous page that this process and its later children share; NULL if there is none.
void *cconfinement_shared_page(void);
// Sends at least one byte and optionally a descriptor (-1 for none). CMSG_* are macros.
long cconfinement_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);
// The descriptor is -1 if none was sent; exec closes it.
long cconfinement_receive_descriptor(int socket, void *bytes, size_t count, int *descriptor);
// Starts a program in a new process group, with /dev/null as its first two descriptors.
//
// Returns its process number, or -1 with `report` filled (step 0: fork or socketpair failed). `listener` becomes the
// listening socket in its network namespace, or -1.
int cconfinement_start_program(const struct cconfinement_start *start, int *listener, struct cconfinement_start_report *report);
// Actions that a confined process must not be able to perform, for tests from inside.
int cconfinement_trial_fork(void);
int cconfinement_trial_trace(int process);
int cconfinement_trial_namespace(void);
int cconfinement_trial_call(int number, long argument);
int cconfinement_trial_type(const char *text);
int cconfinement_trial_limit(void);
int cconfinement_trial_executable(void);
int cconfinement_trial_foreign(void);

#endif
