internal import Capture
internal import WorkerProtocol

/// `capture`: saves a page into a folder. There is no answer if the page is tried again in a new browser.
enum CapturePage {
    static func run(_ order: CaptureOrder, _ means: HandedMeans) {
        let report = PageCapture(order) { progress in
            switch progress {
            case .rendering: Answer<CaptureOrder>.progress(.rendering)
            case .fetching: Answer<CaptureOrder>.progress(.fetching)
            case .writing(let files): Answer<CaptureOrder>.progress(.writing(files: files))
            case .browserFailed(let why): Answer<CaptureOrder>.note(.withoutBrowser(CaptureDetail(why)))
            }
        }.run(means)
        if let report { Answer<CaptureOrder>.result(report) }
    }
}
