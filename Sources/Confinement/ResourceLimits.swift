internal import Glibc

/// Limits of a process that the kernel enforces: setrlimit(2). Limits are only lowered; a lower one stays.
package struct ResourceLimits: Sendable {
    /// Bytes of address space. A capture uses at most 300 MB of memory; libraries, stacks and the allocator's arenas
    /// reserve several times that.
    package var addressSpace: UInt64
    /// Seconds of processor time.
    package var processorSeconds: UInt64
    /// The largest file that can be written, in bytes.
    package var fileSize: UInt64
    package var openFiles: UInt64

    init(_ profile: Confinement.Profile) {
        switch profile {
        case .parse: self.init(addressSpace: 3 << 30, processorSeconds: 600, fileSize: 512 << 20, openFiles: 128)
        // 256 connections through the gate have two sockets and a thread each. Files are only written if standard
        // output is one.
        case .fetch: self.init(addressSpace: 4 << 30, processorSeconds: 3600, fileSize: 16 << 20, openFiles: 1024)
        case .helper: self.init(addressSpace: 4 << 30, processorSeconds: 600, fileSize: 512 << 20, openFiles: 256)
        }
    }

    private init(addressSpace: UInt64, processorSeconds: UInt64, fileSize: UInt64, openFiles: UInt64) {
        self.addressSpace = addressSpace
        self.processorSeconds = processorSeconds
        self.fileSize = fileSize
        self.openFiles = openFiles
    }

    func apply() -> ConfinementPart {
        // A file that grows too large is an error (EFBIG), not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        let limits: [(__rlimit_resource, UInt64)] = [
            (RLIMIT_AS, addressSpace), (RLIMIT_CPU, processorSeconds), (RLIMIT_FSIZE, fileSize),
            (RLIMIT_NOFILE, openFiles), (RLIMIT_CORE, 0),
        ]
        var failure: Int32 = 0
        for (resource, limit) in limits {
            let number = __rlimit_resource_t(resource.rawValue)
            var old = rlimit()
            guard getrlimit(number, &old) == 0 else {
                failure = errno
                continue
            }
            let most = min(rlim_t(limit), old.rlim_max)
            var new = rlimit(rlim_cur: most, rlim_max: most)
            if setrlimit(number, &new) != 0 { failure = errno }
        }
        let what =
            "memory \(addressSpace >> 20) MiB, processor \(processorSeconds) s, a file \(fileSize >> 20) MiB, "
            + "\(openFiles) descriptors, no core"
        return ConfinementPart("limits", failure == 0 ? .inForce(what) : .missing(failure))
    }
}
