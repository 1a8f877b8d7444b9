internal import CSystem
internal import Glibc

/// The numbers of the system calls that each profile may make.
///
/// The calls are grouped by purpose. Arguments are checked if a call has several purposes: the lower 32 bits, which
/// are all that the kernel reads of such arguments, and both halves of pointers.
enum SystemCalls {
    enum Check: Sendable {
        /// At least one of the bits must be set, or none of them may be.
        case has(argument: Int, UInt32)
        case lacks(argument: Int, UInt32)
        case isOne(argument: Int, [UInt32], refusal: Int32)
        case isNull(argument: Int)
    }

    struct Call: Sendable {
        let number: Int32
        var check: Check?
    }

    static let clone3 = UInt32(SYS_clone3)
    /// Linux 6.18 has numbers up to 470; later calls have not been reviewed.
    static let firstUnknown: UInt32 = 471

    static func allowed(_ profile: Confinement.Profile) -> [Call] {
        let own = UInt32(getpid())
        // The first entry of a call counts.
        var calls: [Call] =
            switch profile {
            case .parse: plain(writing) + [Call(number: SYS_mmap, check: .lacks(argument: 2, UInt32(PROT_EXEC)))]
            case .fetch: fetching
            case .helper: helping
            }
        calls += plain(common)
        calls += [
            // Threads, but no processes and no namespaces.
            Call(number: SYS_clone, check: .has(argument: 0, UInt32(CLONE_THREAD))),
            // Signals to itself: for abort, and for ending a thread.
            Call(number: SYS_tgkill, check: .isOne(argument: 0, [own], refusal: EPERM)),
            // Not TIOCSTI, which types into the person's terminal: only whether it is a terminal, and the number of
            // waiting bytes.
            Call(number: SYS_ioctl, check: .isOne(argument: 1, [0x5401, 0x541B, 0x5421], refusal: ENOTTY)),
            // Limits may be read, not set: root could raise them again.
            Call(number: SYS_prlimit64, check: .isNull(argument: 2)),
            // Names of threads and of memory.
            Call(number: SYS_prctl, check: .isOne(argument: 0, [15, 16], refusal: EPERM)),
            // Memory cannot become executable.
            Call(number: SYS_mprotect, check: .lacks(argument: 2, UInt32(PROT_EXEC))),
        ]
        return calls
    }

    private static func plain(_ numbers: [Int32]) -> [Call] { numbers.map { Call(number: $0) } }

    // MARK: Groups

    private static var common: [Int32] {
        var numbers: [Int32] = [
            // Reading, and writing to open files.
            SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_close, SYS_close_range,
            SYS_lseek,
            SYS_openat, SYS_openat2, SYS_newfstatat, SYS_fstat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat,
            SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_fcntl, SYS_dup, SYS_dup3, SYS_pipe2,
            SYS_fadvise64,
            // Waiting.
            SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2,
            SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime, SYS_nanosleep, SYS_clock_nanosleep,
            SYS_restart_syscall,
            // Sockets that are already open.
            SYS_recvfrom, SYS_recvmsg, SYS_sendto, SYS_sendmsg, SYS_shutdown, SYS_getsockname, SYS_getsockopt,
            // Memory.
            SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_membarrier, SYS_mincore,
            // Threads and signals.
            SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_rseq, SYS_set_tid_address, SYS_sched_yield,
            SYS_sched_getaffinity, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait,
            SYS_rt_sigpending, SYS_sigaltstack, SYS_exit, SYS_exit_group,
            // Identity and time.
            SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getgroups,
            SYS_uname, SYS_sysinfo, SYS_getrandom, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday,
            SYS_getrlimit, SYS_getrusage, SYS_times,
        ]
        #if arch(x86_64)
            // Older forms of the same calls, which other architectures do not have.
            numbers += [
                SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_pipe, SYS_poll, SYS_select,
                SYS_epoll_create, SYS_epoll_wait, SYS_time, SYS_arch_prctl,
            ]
        #endif
        return numbers
    }

    /// Files in the folders that Landlock allows. No modes, owners, times or links.
    private static var writing: [Int32] {
        var numbers: [Int32] = [
            SYS_mkdirat, SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_ftruncate, SYS_fallocate, SYS_fsync,
            SYS_fdatasync, SYS_copy_file_range, SYS_flock,
        ]
        #if arch(x86_64)
            numbers += [SYS_mkdir, SYS_unlink, SYS_rmdir, SYS_rename, SYS_creat]
        #endif
        return numbers
    }

    /// Outgoing connections over IP only: no Unix sockets, on which the machine's own services listen. A gate accepts
    /// on a socket that it was given; no socket can be made to listen.
    private static var fetching: [Call] {
        plain([
            SYS_connect, SYS_accept, SYS_accept4, SYS_setsockopt, SYS_getpeername, SYS_sendmmsg, SYS_recvmmsg,
            SYS_socketpair, SYS_mmap, SYS_sched_getparam, SYS_sched_getscheduler,
            // The resolver binds a netlink socket, through which it asks for this machine's addresses.
            SYS_bind,
        ]) + [
            Call(
                number: SYS_socket,
                check: .isOne(
                    argument: 0, [UInt32(AF_INET), UInt32(AF_INET6), UInt32(AF_NETLINK)], refusal: EPERM))
        ]
    }

    private static var helping: [Call] {
        // Landlock decides which program may be executed. Its libraries are mapped executable.
        plain(writing + [SYS_execve, SYS_mmap])
            + [Call(number: SYS_mprotect, check: nil)]
    }
}
