internal import CSystem
internal import Glibc

/// File systems on other machines. Their files may change or vanish while mapped, which ends in SIGBUS.
package enum NetworkFileSystem {
    /// `f_type` of statfs(2): AFS (two clients), Ceph, CIFS, Coda, Lustre, NCP, NFS, SMB, SMB 2 and Plan 9's
    /// protocol.
    private static let types: Set<UInt32> = [
        0x5346_414F, 0x6B41_4653, 0x00C3_6400, 0xFF53_4D42, 0x7375_7245, 0x0BD0_0BD0, 0x564C, 0x6969, 0x517B,
        0xFE53_4D42, 0x0102_1997,
    ]
    private static let fuse: UInt32 = 0x6573_5546
    /// Types in the mount table of file systems that programs serve.
    private static let served: Set<String> = [
        "sshfs", "rclone", "glusterfs", "ceph", "ceph-fuse", "s3fs", "s3ql", "davfs", "davfs2", "curlftpfs", "gcsfuse",
        "goofys",
        "juicefs", "seaweedfs", "moosefs", "mfs", "lizardfs", "gvfsd-fuse", "kio-fuse", "smbnetfs", "fuse-nfs",
        "onedrive",
    ]

    /// - Parameters:
    ///   - type: `f_type` of statfs(2).
    ///   - name: returns the mount's type from the mount table (`ext4`, `fuse.sshfs`); called only if needed.
    static func isOne(type: UInt32, name: () -> String?) -> Bool {
        if types.contains(type) { return true }
        guard type == fuse, let name = name() else { return false }
        return name.hasPrefix("fuse.") && served.contains(String(name.dropFirst(5)))
    }

    /// The type of the mount of a device, from the text of /proc/self/mountinfo (proc(5)).
    ///
    /// - Parameter device: major and minor number.
    static func name(inMountTable table: [UInt8], device: (UInt32, UInt32)) -> String? {
        let wanted = Array("\(device.0):\(device.1)".utf8)
        for line in table.split(separator: 0x0A) {
            let words = line.split(separator: 0x20)
            guard words.count > 6, words[2].elementsEqual(wanted),
                let dash = words.dropFirst(6).firstIndex(where: { $0.elementsEqual([0x2D]) }), dash + 1 < words.count
            else { continue }
            return String(decoding: words[dash + 1], as: UTF8.self)
        }
        return nil
    }
}

extension Directory {
    /// Whether another machine stores the folder; false if the system does not say.
    package var isOnNetwork: Bool {
        NetworkFileSystem.isOne(type: csystem_file_system(number)) {
            var status = stat()
            guard fstat(number, &status) == 0, let file = try? Descriptor.open(path: "/proc/self/mountinfo"),
                let table = try? file.readAll(expecting: 0, limit: 16 << 20)
            else { return nil }
            let device = UInt64(status.st_dev)
            // As in makedev(3) of glibc.
            let major = UInt32(truncatingIfNeeded: (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000))
            let minor = UInt32(truncatingIfNeeded: (device & 0xFF) | (device >> 12 & 0xFFFF_FF00))
            return NetworkFileSystem.name(inMountTable: table, device: (major, minor))
        }
    }
}
