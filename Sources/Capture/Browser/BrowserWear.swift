/// What a browser has done, and whether a new one is better for the next page.
///
/// A browser that renders one page after another keeps a little of each. A new one costs half a second of processor
/// time, so it comes rarely.
package struct BrowserWear: Sendable {
    package private(set) var pageCount = 0
    private var memoryByteCount = 0

    /// The browser's parts in these pages are below a hundredth of their processor time.
    static let pageLimit = 100
    /// Between two pages. Without pages all processes of a browser together use less than a third of it.
    static let memoryLimit = 1 << 30

    package init() {}

    /// Counts a page.
    ///
    /// - Parameter byteCount: the memory of all processes of the browser after the page.
    package mutating func count(memoryByteCount byteCount: Int) {
        pageCount += 1
        memoryByteCount = byteCount
    }

    /// Whether the browser ends before the next page.
    package var isEnough: Bool { pageCount >= Self.pageLimit || memoryByteCount > Self.memoryLimit }
}
