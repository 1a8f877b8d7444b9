import TestSupport
import Testing

@testable import Files

struct NetworkFileSystemTests {
    @Test(
        arguments: [
            (0x6969, nil, true), (0xFF53_4D42, nil, true), (0xFE53_4D42, nil, true), (0xEF53, nil, false),
            (0x0102_1994, nil, false),
            (0x6573_5546, "fuse.sshfs", true), (0x6573_5546, "fuseblk", false), (0x6573_5546, "fuse.mergerfs", false),
            (0x6573_5546, nil, false),
        ] as [(UInt32, String?, Bool)])
    func `files of other machines are recognised by their type`(type: UInt32, name: String?, isOne: Bool) {
        #expect(NetworkFileSystem.isOne(type: type) { name } == isOne)
    }

    @Test func `the mount table names a device's type, with optional fields and escaped blanks`() {
        let table = Array(
            """
            22 1 253:0 / / rw,relatime - ext4 /dev/vda rw
            40 22 0:48 / /mnt/my\\040files rw,nosuid,nodev shared:95 master:1 - fuse.sshfs me@host:/ rw,user_id=0
            broken line
            41 22 0:4 / /mnt/n rw - nfs4 host:/x rw
            """.utf8)
        #expect(NetworkFileSystem.name(inMountTable: table, device: (0, 48)) == "fuse.sshfs")
        #expect(NetworkFileSystem.name(inMountTable: table, device: (0, 4)) == "nfs4")
        #expect(NetworkFileSystem.name(inMountTable: table, device: (253, 0)) == "ext4")
        #expect(NetworkFileSystem.name(inMountTable: table, device: (9, 9)) == nil)
        #expect(NetworkFileSystem.name(inMountTable: [], device: (0, 4)) == nil)
    }

    @Test func `a folder of this machine is none`() throws {
        let scratch = try ScratchDirectory()
        #expect(try !Directory(path: scratch.path).isOnNetwork)
    }
}
