import StuffBucket

/// Words for how completely a page is saved.
enum ArchiveWords {
    /// For a file that item.json names and that does not exist.
    static let unavailable = "unavailable: deleted, or not here yet"

    /// Why a file that item.json names is not here, as a clause.
    static func unavailable(_ path: String, of stored: StoredItem, _ library: Library) -> String {
        if let size = library.tooLargeElsewhere(path, of: stored.id) { return "unavailable: " + tooLarge(size) }
        let remotes = (try? Remotes(of: library).list) ?? []
        let isHeld = library.isHeld(path, of: stored.id, by: remotes.map(\.folder))
        if isHeld { return unavailable + "; an exchange has it: sbfs keep \(stored.id.short)" }
        return unavailable + (remotes.isEmpty ? "" : "; \"sbfs keep \(stored.id.short)\" asks the remotes")
    }

    /// For a file that is above the limit of the device that has it.
    static func tooLarge(_ byteCount: Int) -> String {
        "not here: with \(ByteCount.text(byteCount)) it is above the limit of the device that has it, so it does not travel "
            + "(see: sbfs config maxFileSizeMB)"
    }

    /// One line about the page of an item; `nil` for an item without a link and without a saved page.
    ///
    /// - Parameter files: says where a page is that is away.
    static func sentence(_ stored: StoredItem, _ library: Library, _ files: ExchangeFiles) -> String? {
        let missing = stored.hasPage ? (try? library.missingAssets(of: stored))?.count ?? 0 : 0
        let incomplete = missing == 0 ? "" : ", but " + self.missing(missing)
        let earlier = stored.hasPage ? "; a page is saved locally" : ""
        switch stored.archiveState {
        case .full, .partial:
            let state = stored.archiveState == .full ? "archived" : "partial"
            let what = stored.isArchivedAsDocument ? "its document is" : "this page is"
            let why = stored.archiveState == .partial ? reason(stored).map { "; " + $0 } ?? "" : ""
            if stored.isPageAway || stored.isArchivedAsDocument && stored.isDocumentAway {
                return files.lack(of: stored) ?? "\(state): \(files.place(of: stored))" + why
            }
            return "\(state): \(what) saved locally" + incomplete + why
        case .unavailable:
            return unavailable(stored.item.htmlRelativePath ?? Layout.pageFile, of: stored, library)
        case .pending: return "pending" + earlier
        case .failed: return "failed" + (reason(stored).map { ": " + $0 } ?? "") + earlier
        case .live: return "live only"
        case nil: return nil
        }
    }

    /// The number of missing files of assets/.
    static func missing(_ count: Int) -> String {
        "\(count) of its files \(count == 1 ? "is" : "are") not here (\"sbfs check\" names \(count == 1 ? "it" : "them"))"
    }

    /// Why the page of an item is partial or failed, as the item records it. An unknown sentence is printed
    /// unchanged.
    static func reason(_ stored: StoredItem) -> String? {
        stored.captureReason.map(reason) ?? stored.item.archiveReason
    }

    static func reason(_ kind: CaptureReason) -> String {
        switch kind {
        case .login: "the page asks for a login"
        case .blocked: "the page refuses robots"
        case .errorPage: "the page is only an error message"
        case .emptyPage: "the page shows nothing"
        case .needsScript: "scripts make the page, and there was no browser to run them"
        case .missingFiles: "some of its files exceed the limits"
        case .noSuchHost: "there is no such host"
        case .nameLookup: "the name of its host could not be looked up"
        case .noConnection: "there was no connection to the server"
        case .certificate: "the server's certificate is not trusted"
        case .insecureConnection: "there was no secure connection to the server"
        case .timeout: "it took too long"
        case .redirects: "the server redirects endlessly"
        case .brokenAnswer: "the server's answer was broken"
        case .tooLarge: "it is larger than the limit"
        case .proxy: "the proxy did not work"
        case .browser: "the browser could not show it"
        case .worker: "sbfs-worker ended while it read the page"
        case .otherDocument: "the link leads to a file, and the item has another document"
        case .http(404): "the server has no such page (404)"
        case .http(410): "the server says that the page is gone for good (410)"
        case .http(let status): "the server answered with an error (\(status))"
        case .privateAddress: "its address is private and was not contacted"
        case .noSavedPage: "the file is not a saved page"
        case .machine: "of a fault on this machine"
        }
    }

    /// Why an item was left unchanged, as the end of a sentence.
    static func refusal(_ refusal: ArchiveRefusal, of stored: StoredItem?) -> String {
        let id = stored?.id.short ?? "ITEM"
        return switch refusal {
        case .noLink: "it has no link"
        case .otherDocument:
            "the link leads to a file, and the item has another document; \"sbfs detach \(id) document\" removes that one"
        case .noSavedPage(let report):
            "\(report.wording ?? ""); nothing was changed. \"sbfs attach \(id) FILE\" makes a file the item's document"
        case .privateAddress(let report), .machine(let report): report.wording ?? ""
        case .failure(let error): error.wording
        }
    }
}

extension CaptureLoss {
    /// Why the new capture is worse, as the end of a sentence.
    var wording: String {
        switch self {
        case .wall: "it is a login or block page"
        case .shorterText(let count, let earlier): "its text is shorter (\(count) bytes, \(earlier) before)"
        case .fewerFiles(let count, let earlier): "it has fewer files (\(count), \(earlier) before)"
        }
    }
}
