internal import Glibc
internal import JSONFormat
internal import Work

/// Lines on standard output, each written at once.
enum Answer {
    static func result(_ json: JSON) { write(.object([.init("result", json)])) }
    static func error(_ sentence: String) { write(.object([.init("error", .string(sentence))])) }
    static func note(_ sentence: String) { write(.object([.init("note", .string(sentence))])) }

    static func progress(_ members: [(String, JSON?)]) { write(.object([.init("progress", .members(members))])) }

    private static func write(_ json: JSON) {
        let line = Message.line(json)
        var done = 0
        while done < line.count {
            let count = line.withUnsafeBytes { Glibc.write(1, $0.baseAddress.map { $0 + done }, $0.count - done) }
            if count < 0, errno == EINTR { continue }
            // Nobody listens any more.
            if count <= 0 { exit(0) }
            done += count
        }
    }
}
