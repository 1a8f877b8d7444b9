internal import Items
internal import WorkerProtocol

/// Why a new capture of a page is worse than the one that is there.
public enum CaptureLoss: Hashable, Sendable {
    /// It is a login or block page.
    case wall
    /// Its text has so many bytes, and that of the earlier one more than twice as many; more, if the answer broke off or the page
    /// was still loading.
    case shorterText(byteCount: Int, earlier: Int)
    /// It has so many files, and the earlier one more than twice as many.
    case fewerFiles(count: Int, earlier: Int)
}

/// The quality of a saved page, measured on its files. Captures are compared by it, whatever made them.
///
/// It consists of the article's length and the number of the page's files that exist. A wall (a login or block page)
/// is always worse than a page.
struct ArchiveQuality: Equatable {
    /// Bytes of text in reader.html, else in page.html.
    var textLength: Int
    var assetCount: Int
    var isWall: Bool
    /// Whether the page ended too early: less text is a loss then.
    var isCut = false

    init(textLength: Int, assetCount: Int, isWall: Bool = false) {
        self.textLength = textLength
        self.assetCount = assetCount
        self.isWall = isWall
    }

    /// - Parameter contents: the bytes of page.html or reader.html, or `nil`.
    init(_ files: ArchiveFiles, isWall: Bool = false, contents: (String) -> [UInt8]?) {
        let page = contents(Layout.readerFile) ?? contents(Layout.pageFile) ?? []
        self.init(textLength: VisibleText.of(page).count, assetCount: files.assets.count, isWall: isWall)
    }

    /// Why this capture must not replace the earlier one; `nil` if it may.
    ///
    /// Pages change, so only a clear loss counts: a wall after a page, less than half of a text of more than 500
    /// bytes (any less, if the page ended too early), or less than half of more than 4 files while the text did not grow by a fifth.
    func loss(against earlier: ArchiveQuality) -> CaptureLoss? {
        if isWall, !earlier.isWall { return .wall }
        if earlier.isWall { return nil }
        if isCut ? textLength < earlier.textLength : earlier.textLength > 500 && textLength < earlier.textLength / 2 {
            return .shorterText(byteCount: textLength, earlier: earlier.textLength)
        }
        if earlier.assetCount > 4, assetCount < earlier.assetCount / 2, textLength < earlier.textLength * 6 / 5 {
            return .fewerFiles(count: assetCount, earlier: earlier.assetCount)
        }
        return nil
    }
}
