import Foundation
import Glibc
import StuffBucket
import TestSupport
import Testing

/// Second names of documents into which a program wrote: Documentation/DeviceFiles.md § D10.
struct OverwrittenSecondNameTests: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        let copies = try CopiesWithDocument()
        (a, b) = (copies.a, copies.b)
    }

    /// Has a tool bring the first document of b.
    private func bring(_ modified: timespec) throws {
        let plan = b.folder + "/document/plan.txt"
        try b.scratch.write("kept", "Plan 0.")
        usleep(20_000)
        try b.scratch.rename("kept", to: plan)
        #expect(utimensat(AT_FDCWD, b.scratch.full(plan), [modified, modified], 0) == 0)
        try b.scratch.setModified(b.folder + "/document", seconds: 1_600_000_000)
    }

    private func modified() throws -> timespec {
        var status = stat()
        #expect(stat(b.scratch.full(b.folder + "/document/plan.txt"), &status) == 0)
        return status.st_mtim
    }

    @Test func `a document that was taken out goes though a program wrote into its second name`() throws {
        let first = try modified()
        try b.scratch.write(b.folder + "/document/plan.txt", "Plan one.")
        try b.settle()
        usleep(1_100_000)
        try attach("Notes.", named: "notes.txt", to: b)
        try b.settle()
        try bring(first)
        _ = b.library.takeNotices()
        try b.settle()
        #expect(try b.scratch.names(b.folder + "/document") == ["notes.txt"])
        let kept = b.library.takeNotices().compactMap { notice -> String? in
            if case .detachedReturned(Replica.id, let kept) = notice { kept } else { nil }
        }
        #expect(try kept.map { try b.scratch.text("library/" + $0) } == ["Plan 0."])
    }

    @Test func `a document that is back gets a second name of its own`() throws {
        let first = try modified()
        try b.scratch.write(b.folder + "/document/plan.txt", "Plan one.")
        try b.settle()
        try bring(first)
        try b.settle()
        // The device puts the later one back, and has the earlier one.
        #expect(try document(b, "plan.txt") == "Plan one.")
        var texts: [String] = []
        let folder = "library/.sbfs/known"
        let names = try FileManager.default.subpathsOfDirectory(atPath: b.scratch.full(folder))
        for name in names where name.hasSuffix("/plan.txt") {
            texts.append(try b.scratch.text(folder + "/" + name))
        }
        #expect(Set(texts).isSuperset(of: ["Plan 0.", "Plan one."]))
    }
}
