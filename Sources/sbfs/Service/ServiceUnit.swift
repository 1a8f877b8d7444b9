import StuffBucket

/// A systemd user unit that runs `sbfs watch` for one library (systemd.service(5), systemd.exec(5)).
///
/// What the settings are for, where it is not plain:
/// - The home folder stays writable, because views lie anywhere in it, and because a library that is bind-mounted by
///   itself could not be seen to move. What programs run at login, and keys, are closed to the service.
/// - A browser makes user namespaces for its own sandbox and compiles machine code while it runs. So there is no
///   RestrictNamespaces, MemoryDenyWriteExecute or SystemCallFilter; each page's process gives up its rights itself.
/// - Units of one person share the folder of the sockets, so it is kept when one of them stops.
struct ServiceUnit {
    /// The program, absolute.
    let program: String
    /// The library's folder, absolute and without links.
    let library: String
    let home: String
    /// Variables of this process that decide where sbfs keeps its files.
    var variables: [(name: String, value: String)] = []
    /// Further folders that the service may write to.
    var writable: [String] = []
    var isOffline = false

    /// The first line, by which a unit of ours is known.
    static let mark = "# Written by \"sbfs service install\"; \"sbfs service remove\" removes it."

    /// One unit a library: the same path has the same name.
    static func name(for library: String) -> String {
        "sbfs-watch-\(SHA256.hex(Array(library.utf8)).prefix(16)).service"
    }

    var name: String { Self.name(for: library) }

    /// - Throws: `CommandFailure` if a path cannot be written in a unit.
    func text() throws -> String {
        for path in [program, library, home] + variables.map(\.value) + writable { try Self.check(path) }
        let words = [("--library", false), (library, true)] + (isOffline ? [("--offline", false)] : [])
        let command = words.map { $0.1 ? Self.quoted($0.0, isArgument: true) : $0.0 }.joined(separator: " ")
        return """
            \(Self.mark)
            [Unit]
            Description=\(Self.percent("StuffBucket: keeps \(library) live"))
            Documentation=man:sbfs(1)

            [Service]
            Type=notify
            NotifyAccess=main
            ExecStart=\(Self.quoted(program)) \(command) watch --foreground
            ExecReload=/bin/kill -HUP $MAINPID
            \(variables.map { "Environment=\(Self.quoted($0.name + "=" + $0.value))\n" }.joined())WatchdogSec=180
            TimeoutStartSec=infinity
            TimeoutStopSec=60
            Restart=on-failure
            RestartSec=30
            Nice=10
            IOSchedulingClass=idle
            CPUWeight=20
            UMask=0077
            RuntimeDirectory=sbfs
            RuntimeDirectoryMode=0700
            RuntimeDirectoryPreserve=yes
            NoNewPrivileges=yes
            ProtectSystem=strict
            ReadWritePaths=\(writablePaths.map { Self.quoted("-" + $0) }.joined(separator: " "))
            ReadOnlyPaths=\(Self.startup.map { "-%h/" + $0 }.joined(separator: " "))
            InaccessiblePaths=\(Self.keys.map { "-%h/" + $0 }.joined(separator: " "))
            PrivateTmp=yes
            ProtectClock=yes
            ProtectKernelModules=yes
            ProtectKernelLogs=yes
            ProtectControlGroups=yes
            RestrictSUIDSGID=yes
            RestrictRealtime=yes
            LockPersonality=yes
            SystemCallArchitectures=native
            RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

            [Install]
            WantedBy=default.target

            """
    }

    /// What programs run at login.
    private static let startup = [
        ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".config/systemd", ".config/autostart",
        ".config/fish", ".local/bin",
    ]
    /// What no page must reach.
    private static let keys = [".ssh", ".gnupg"]

    /// Each folder once, without those that are in another one.
    private var writablePaths: [String] {
        let parent = library.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(library[..<$0]) } ?? ""
        // The folder above the library, so that the service sees when the library is renamed.
        let all = [home, parent.isEmpty ? library : parent] + variables.map(\.value) + writable
        return all.enumerated().filter { index, path in
            !all.enumerated().contains { other, folder in
                folder == path ? other < index : path.utf8.starts(with: (folder + "/").utf8)
            }
        }.map(\.element)
    }

    // MARK: Spelling

    /// A word of a unit in double quotes: backslash, quotation mark and percent sign escaped, and in arguments of a
    /// command the dollar sign, too.
    static func quoted(_ text: String, isArgument: Bool = false) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": quoted += "\\" + String(scalar)
            case "$" where isArgument: quoted += "$$"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return percent(quoted) + "\""
    }

    private static func percent(_ text: String) -> String {
        text.split(separator: "%" as Character, omittingEmptySubsequences: false).joined(separator: "%%")
    }

    private static func check(_ path: String) throws {
        if path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            throw CommandFailure(
                .failed,
                "a systemd unit cannot hold the path \(Printable.text(path)), because it has a line end or another control "
                    + "character; rename the folder, or start \"sbfs watch\" in another way")
        }
        if path.unicodeScalars.contains("\u{FFFD}") {
            throw CommandFailure(
                .failed, "a systemd unit cannot hold the path \(path), because it is not UTF-8; rename the folder")
        }
    }
}
