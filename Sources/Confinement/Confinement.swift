internal import CConfinement
internal import Glibc

/// The rights that a process gives up before it reads untrusted data.
///
/// `apply` removes rights from the whole process permanently. Call it while the process has only one thread.
/// If the kernel lacks a part, the other parts still apply. The result says which parts are in force.
package struct Confinement: Sendable {
    /// The kind of work that the process does.
    package enum Profile: String, Sendable, CaseIterable {
        /// Parses untrusted data: no network, no other program, only the files that are named.
        case parse
        /// Uses the network: connects to others, writes no files, and passes on data without parsing it.
        case fetch
        /// Becomes another program, which has the rights of `parse`.
        case helper
    }

    package var profile: Profile
    /// Files and folders that may be read, including everything below the folders.
    package var readable: [String] = []
    /// Folders in which files may be made, written, renamed and removed.
    package var writable: [String] = []
    /// The program of `helper`.
    package var program: String?
    package var limits: ResourceLimits

    package init(_ profile: Profile, reading: [String] = [], writing: [String] = []) {
        self.profile = profile
        readable = reading
        writable = writing
        limits = ResourceLimits(profile)
    }

    /// Gives up all rights that the profile does not need.
    ///
    /// The order matters: limits and files come first, since the filter refuses the calls that set them.
    ///
    /// - Returns: one state for each part.
    @discardableResult
    package func apply() -> [ConfinementPart] {
        var parts: [ConfinementPart] = []
        let isPrivileged = cconfinement_no_new_privileges() != 0
        parts.append(.init("no_new_privs", isPrivileged ? .missing(errno) : .inForce("no program gives more rights")))
        // No process of the same user can read its memory or descriptors through /proc.
        _ = cconfinement_not_dumpable()
        parts.append(limits.apply())
        parts.append(contentsOf: Landlock(self).apply())
        parts.append(SystemCallFilter(profile).apply())
        return parts
    }
}

/// One part of a confinement, and whether it is in force.
package struct ConfinementPart: Sendable, CustomStringConvertible {
    package enum State: Sendable, Equatable {
        case inForce(String)
        /// The kernel refused it; the error number.
        case missing(Int32)
    }

    package let name: String
    package let state: State

    init(_ name: String, _ state: State) {
        self.name = name
        self.state = state
    }

    package var isInForce: Bool { if case .inForce = state { true } else { false } }

    package var description: String {
        switch state {
        case .inForce(let what): "\(name): in force (\(what))"
        case .missing(ENOSYS): "\(name): not in force, the kernel does not have it"
        case .missing(EOPNOTSUPP): "\(name): not in force, it is switched off in the kernel"
        case .missing(let number): "\(name): not in force (\(String(cString: strerror(number))))"
        }
    }
}
