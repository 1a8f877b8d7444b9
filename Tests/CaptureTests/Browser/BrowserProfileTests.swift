import Glibc
import TestSupport
import Testing

@testable import Capture

struct BrowserProfileTests {
    @Test func `a profile goes away with its owner, with all that is in it`() throws {
        let folder = try ScratchDirectory()
        do {
            let profile = try BrowserProfile.make(in: folder.full("a/b"))
            try folder.write("a/b/" + profile.name + "/data/Default/Cookies", "x")
            #expect(try folder.names("a/b").count == 2)
            _ = profile
        }
        #expect(try folder.names("a/b") == ["browsers.lock"])
    }

    @Test func `profiles that a killed run left are removed, those in use and other folders are not`() throws {
        let folder = try ScratchDirectory()
        try folder.write("browser-0123456789abcdef/data/Default/Cookies", "left")
        try folder.write("browser-of-mine.txt", "a file")
        try folder.write("other/file", "x")
        let used = try BrowserProfile.make(in: folder.path)
        let another = try BrowserProfile.make(in: folder.path)
        #expect(
            try folder.names() == [used.name, another.name, "browser-of-mine.txt", "browsers.lock", "other"].sorted())
        used.remove()
        another.remove()
    }

    @Test func `a browser that a killed run left is killed, if it still names its profile`() throws {
        let folder = try ScratchDirectory()
        let name = "browser-0123456789abcdef"
        let old = try BrowserProcess.start(["/bin/sh", "-c", "sleep 600; :", folder.full(name)], environment: []).0
        try folder.write(name + "/leader", String(old.group))
        let other = try BrowserProcess.start(["/bin/sh", "-c", "sleep 600; :"], environment: []).0
        try folder.write("browser-fedcba9876543210/leader", String(other.group))
        let profile = try BrowserProfile.make(in: folder.path)
        var status: Int32 = 0
        #expect(waitpid(pid_t(old.group), &status, 0) == pid_t(old.group))
        #expect(status & 0x7F == SIGKILL)
        #expect(waitpid(pid_t(other.group), &status, WNOHANG) == 0)
        #expect(try folder.names() == [profile.name, "browsers.lock"])
        profile.remove()
        other.end()
    }

    @Test func `a folder where nothing can be made is reported`() throws {
        let folder = try ScratchDirectory()
        try folder.write("file", "x")
        #expect(throws: BrowserFailure.self) { _ = try BrowserProfile.make(in: folder.full("file")) }
    }
}
