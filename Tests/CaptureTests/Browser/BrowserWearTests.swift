import Testing

@testable import Capture

struct BrowserWearTests {
    @Test func `a browser ends after its last page, and earlier if it keeps much memory`() {
        var wear = BrowserWear()
        for _ in 1..<BrowserWear.pageLimit {
            wear.count(memoryByteCount: 300 << 20)
            #expect(!wear.isEnough)
        }
        wear.count(memoryByteCount: 300 << 20)
        #expect(wear.isEnough)
        var large = BrowserWear()
        large.count(memoryByteCount: BrowserWear.memoryLimit)
        #expect(!large.isEnough)
        large.count(memoryByteCount: BrowserWear.memoryLimit + 1)
        #expect(large.isEnough && large.pageCount == 2)
    }
}
