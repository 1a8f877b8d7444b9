import Files
import Items
import TestSupport
import Testing

@testable import StuffBucket

/// The place of the index.
struct IndexPlaceTests {
    let sample: SampleLibrary
    let store: ItemStore

    init() throws {
        sample = try SampleLibrary()
        store = try ItemStore(path: sample.scratch.full("library"))
        try sample.scratch.makeDirectory("caches")
    }

    private func find(caches: String?, isOnNetwork: (borrowing Directory) -> Bool) throws -> String {
        let place = IndexPlace.find(for: store, caches: caches, isOnNetwork: isOnNetwork)
        return try #require(place).directory.path
    }

    @Test func `on a disk of this machine it is in the library`() throws {
        #expect(try find(caches: sample.scratch.full("caches")) { _ in false }.hasSuffix("/library/.sbfs"))
        #expect(try sample.scratch.names("caches").isEmpty)
    }

    @Test func `of a library on another machine it is in the cache, if that is here`() throws {
        let caches = sample.scratch.full("caches")
        let place = try find(caches: caches) { $0.path.hasSuffix("/.sbfs") }
        #expect(place.hasPrefix(caches + "/sbfs/\(store.settings.id)-"))
        #expect(try find(caches: caches) { _ in true }.hasSuffix("/library/.sbfs"))
        #expect(try find(caches: nil) { _ in true }.hasSuffix("/library/.sbfs"))
        #expect(try find(caches: "/proc/none") { _ in true }.hasSuffix("/library/.sbfs"))
    }
}
