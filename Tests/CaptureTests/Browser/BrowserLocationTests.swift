import Glibc
import TestSupport
import Testing

@testable import Capture

struct BrowserLocationTests {
    private func folder(_ programs: [String]) throws -> ScratchDirectory {
        let folder = try ScratchDirectory()
        for program in programs {
            try folder.write(program, "#!/bin/sh\n")
            chmod(folder.full(program), 0o755)
        }
        return folder
    }

    @Test func `the first installed name is used, whatever the order of PATH`() throws {
        let folder = try folder(["a/google-chrome", "b/chromium", "c/brave-browser"])
        let path = "relative:\(folder.full("a")):\(folder.full("b")):\(folder.full("c"))"
        #expect(try BrowserLocation.find(setting: .auto, searchPath: path)?.path == folder.full("b/chromium"))
    }

    @Test func `a browser without windows is used if there is no other`() throws {
        let folder = try folder(["a/chromium-headless-shell", "b/vivaldi"])
        let path = "\(folder.full("a")):\(folder.full("b"))"
        #expect(try BrowserLocation.find(setting: .auto, searchPath: path)?.path == folder.full("b/vivaldi"))
        #expect(
            try BrowserLocation.find(setting: .auto, searchPath: folder.full("a"))?.path
                == folder.full("a/chromium-headless-shell"))
    }

    @Test func `no browser is an outcome, not an error`() throws {
        let folder = try folder(["a/firefox"])
        #expect(try BrowserLocation.find(setting: .auto, searchPath: folder.full("a")) == nil)
        #expect(try BrowserLocation.find(setting: .never, searchPath: folder.full("a")) == nil)
    }

    @Test func `a file that cannot be run is not a browser`() throws {
        let folder = try folder(["b/chromium"])
        try folder.write("a/chromium", "text")
        try folder.makeDirectory("a/google-chrome")
        let path = "\(folder.full("a")):\(folder.full("b"))"
        #expect(try BrowserLocation.find(setting: .auto, searchPath: path)?.path == folder.full("b/chromium"))
    }

    @Test func `a demanded browser must exist`() throws {
        let folder = try folder(["my-browser"])
        let byName = try BrowserLocation.find(setting: .path("my-browser"), searchPath: folder.path)
        #expect(byName?.path == folder.full("my-browser"))
        #expect(try BrowserLocation.find(setting: .path(folder.full("my-browser")))?.path == folder.full("my-browser"))
        #expect(throws: BrowserFailure.notFound(setting: "/none/chromium")) {
            _ = try BrowserLocation.find(setting: .path("/none/chromium"))
        }
        #expect(throws: BrowserFailure.notFound(setting: "other")) {
            _ = try BrowserLocation.find(setting: .path("other"), searchPath: folder.path)
        }
    }

    @Test(arguments: [
        ("", BrowserSetting.auto), ("auto", .auto), ("never", .never), ("/usr/bin/x", .path("/usr/bin/x")),
        ("chrome", .path("chrome")),
    ]) func `the setting is a word, a name or a path`(text: String, setting: BrowserSetting) {
        #expect(BrowserSetting(text) == setting)
    }
}
