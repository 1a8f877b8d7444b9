/// A rendered page.
package struct RenderedPage: Sendable {
    package var requestURL: String
    /// The URL after redirects and changes by scripts.
    package var finalURL: String
    /// HTTP status of the main document; `nil` if the browser did not report it.
    package var status: Int?
    /// The main document's type and subtype in lower case, after the browser's sniffing.
    package var contentType: String
    package var title = ""
    /// The main document; `nil` if the answer is not HTML.
    package var document: RenderedDocument?
    /// The body of an answer that is not HTML, if the browser still has it; otherwise the caller must fetch it.
    package var body: [UInt8]?
    /// Whether an answer that is not HTML is above the limit for one file.
    package var isTooLarge = false
    /// The page as PDF, and as PNG; `nil` if not wanted or not made.
    package var print: [UInt8]?
    package var picture: [UInt8]?
    /// The documents of child frames. Frame N belongs to the element with `data-sbfs-frame="N"` in the document above it.
    package var frames: [RenderedFrame] = []
    /// By absolute URL without fragment, for requested URLs and for targets of redirects.
    package var resources: [String: RenderedResource] = [:]
    package var notes: [RenderNote] = []
    /// The number of dialogs that covered the page and are hidden in it.
    package var coverCount = 0
    /// Whether the page was still loading when it was taken: the server was sending the main document, or the page said so.
    package var isUnfinished = false

    /// The bytes of the main document that came before its answer broke off; `nil` if it did not.
    package var cutAfter: Int?

    /// Whether the server answered without a single byte.
    package var isEmpty = false

    package init(requestURL: String) {
        self.requestURL = requestURL
        finalURL = requestURL
        contentType = ""
    }
}

/// A document as it is in the browser, after its scripts have run.
///
/// The HTML is UTF-8 with doctype and declarative shadow roots. State that markup does not show was added: form
/// values, canvases as background images, sheets built by script as `<style>` elements, blob: URLs as data: URLs.
package struct RenderedDocument: Sendable {
    package var html: [UInt8]
    package var url: String
    /// The base of relative references; `html` may still contain a `<base>` element.
    package var baseURL: String
}

/// A child frame, or the plugin-like content of `<object>` and `<embed>`.
package struct RenderedFrame: Sendable {
    package var url: String
    package var contentType: String
    /// `nil` if the frame does not show HTML: its body is then in `resources`, if anywhere.
    package var document: RenderedDocument?
}

/// One response that the browser received while rendering.
package struct RenderedResource: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Text that the browser decoded: UTF-8, whatever `charset` or `@charset` say.
        case text([UInt8])
        case missing(Reason)
    }

    package enum Reason: Sendable, Equatable {
        /// The address rule refused the connection.
        case refused
        /// The browser's name for the network error.
        case failed(String)
        /// Larger than `RenderLimits.bodyBytes`, or `totalBytes` was used up.
        case tooLarge
        /// It was still loading when the page was taken.
        case unfinished
        /// The browser had already dropped it.
        case dropped
    }

    /// The URL after redirects, which is the base of references in a style sheet.
    package var finalURL: String
    /// 0 without an HTTP response.
    package var status: Int
    /// In lower case, without parameters.
    package var contentType: String
    package var body: Body
}

/// A remark on a rendering that was not perfect.
package enum RenderNote: Sendable, Hashable {
    case loadNeverFired
    case neverQuiet
    case refused(HostPort)
    case dialogDismissed
    case tooManyRequests(limit: Int)
    case tooManyFrames(limit: Int)
    case tooManyBytes(limit: Int)
    case scrollCut
    case scriptStopped
    case frameLost(url: String)
    case unreadableCanvas
    case unreadableBlob
    /// Styles use `:defined`, which matches no custom element without scripts.
    case definedElements
    case sheetsCut
    /// Some changes by scripts could not be added to the markup.
    case stateLost
    case outOfTime
}

extension RenderNote: CustomStringConvertible {
    package var description: String {
        switch self {
        case .loadNeverFired: "the page never finished loading"
        case .neverQuiet: "the page kept requesting files"
        case .refused(let target): "a connection to \(target) was refused by the address rule"
        case .dialogDismissed: "a dialog was dismissed"
        case .tooManyRequests(let limit): "more than \(limit) requests; the rest was refused"
        case .tooManyFrames(let limit): "more than \(limit) frames; the rest was left out"
        case .tooManyBytes(let limit): "more than \(limit) bytes; the rest was left out"
        case .scrollCut: "the page is longer than was scrolled"
        case .scriptStopped: "a script that did not end was stopped"
        case .frameLost(let url): "the frame \(url) could not be read"
        case .unreadableCanvas: "a drawing could not be read"
        case .unreadableBlob: "a picture made by script could not be read"
        case .definedElements: "styles depend on elements that scripts define"
        case .sheetsCut: "style sheets made by script were too large"
        case .stateLost: "some of what scripts had changed was lost"
        case .outOfTime: "there was no time to take all of the page"
        }
    }
}
