/// What a browser made of a page.
package struct RenderedPage: Sendable {
    package var requestURL: String
    /// After redirects and what scripts did to the address.
    package var finalURL: String
    /// HTTP status of the main document; `nil` if the browser did not tell.
    package var status: Int?
    /// Of the main document's response: type and subtype in lower case, as the browser took it after sniffing.
    package var contentType: String
    package var title = ""
    /// The main document; `nil` if the answer is not HTML.
    package var document: RenderedDocument?
    /// The answer itself where it is not HTML and the browser still has it; else the caller has to fetch it.
    package var body: [UInt8]?
    /// The documents of child frames. Frame N belongs to the element with `data-sbfs-frame="N"` in the document above it.
    package var frames: [RenderedFrame] = []
    /// By absolute URL without fragment, as requested and as redirected to.
    package var resources: [String: RenderedResource] = [:]
    package var notes: [RenderNote] = []

    package init(requestURL: String) {
        self.requestURL = requestURL
        finalURL = requestURL
        contentType = ""
    }
}

/// A document as it stood in the browser, its scripts' work done.
///
/// The HTML is UTF-8 with doctype and declarative shadow roots. State that markup does not hold was put into it: form
/// values, canvases as background images, sheets built by script as `<style>` elements, blob: URLs as data: URLs.
package struct RenderedDocument: Sendable {
    package var html: [UInt8]
    package var url: String
    /// What relative references are resolved against; `html` may still hold a `<base>` element.
    package var baseURL: String
}

/// A child frame, or the plugin-like content of `<object>` and `<embed>`.
package struct RenderedFrame: Sendable {
    package var url: String
    package var contentType: String
    /// `nil` where the frame shows something else than HTML: its body is in `resources`, if anywhere.
    package var document: RenderedDocument?
}

/// One response that the browser had while it rendered.
package struct RenderedResource: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Text that the browser decoded: UTF-8 whatever `charset` or `@charset` say.
        case text([UInt8])
        case missing(Reason)
    }

    package enum Reason: Sendable, Equatable {
        /// The address rule refused the connection.
        case refused
        /// The network's error, as the browser names it.
        case failed(String)
        /// Above `RenderLimits.bodyBytes`, or `totalBytes` was used up.
        case tooLarge
        /// It had not ended when the page was taken.
        case unfinished
        /// The browser no longer had it.
        case dropped
    }

    /// After redirects; what references in a style sheet are resolved against.
    package var finalURL: String
    /// 0 where there was no HTTP response.
    package var status: Int
    /// In lower case, without parameters.
    package var contentType: String
    package var body: Body
}

/// A remark on a rendering that did not go entirely as planned.
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
    /// Styles ask for `:defined`, which no element is once scripts are gone.
    case definedElements
    case sheetsCut
    /// Something that scripts had changed could not be put into the markup.
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
