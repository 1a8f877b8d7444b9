internal import Capture
internal import JSONFormat
internal import Work

/// `capture`: a page into a folder.
enum CapturePage {
    static func run(_ message: Message, _ means: HandedMeans) {
        guard let order = CaptureOrder(message) else { return Answer.error("capture needs a url and a folder") }
        let report = PageCapture(order) { progress in
            switch progress {
            case .rendering: Answer.progress([("step", .string("rendering"))])
            case .fetching: Answer.progress([("step", .string("fetching"))])
            case .writing(let files): Answer.progress([("step", .string("writing")), ("files", .integer(files))])
            case .browserFailed(let why): Answer.note("\(why); the page is fetched without a browser")
            }
        }.run(means)
        Answer.result(report.json)
    }
}
