internal import CConfinement
internal import Confinement
internal import Glibc

/// A process that parses pages given as open files, and cannot open files itself.
final class ExtractReader {
    private let child: ConfinedChild
    private let socket: Int32

    private init(child: ConfinedChild, socket: Int32) {
        self.child = child
        self.socket = socket
    }

    deinit {
        close(socket)
        child.end()
    }

    /// - Parameter answer: writes the answer for a page and closes the page's descriptor; runs in the new process.
    static func start(_ answer: (Int32, String) -> Void) -> ExtractReader? {
        var ends: [Int32] = [-1, -1]
        if socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) != 0 { return nil }
        let child = try? ConfinedChild.start {
            close(ends[0])
            Confinement(.parse).apply()
            work(ends[1], answer)
            return 0
        }
        close(ends[1])
        guard let child else {
            close(ends[0])
            return nil
        }
        return ExtractReader(child: child, socket: ends[0])
    }

    /// Passes a page to the process and waits for the answer.
    ///
    /// - Returns: false if the process died.
    func ask(_ page: Int32, url: String) -> Bool {
        let text = Array(url.utf8)
        let count = [UInt8](unsafeUninitializedCapacity: 4) { bytes, initialized in
            for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: text.count >> (8 * place)) }
            initialized = 4
        }
        guard cconfinement_send_descriptor(socket, count, 4, page) == 4 else { return false }
        var sent = 0
        while sent < text.count {
            let part = text.withUnsafeBytes {
                send(socket, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if part <= 0 { return false }
            sent += part
        }
        var done: UInt8 = 0
        return recv(socket, &done, 1, 0) == 1
    }

    private static func work(_ socket: Int32, _ answer: (Int32, String) -> Void) {
        while true {
            var count: [UInt8] = [0, 0, 0, 0]
            var page: Int32 = -1
            guard cconfinement_receive_descriptor(socket, &count, 4, &page) == 4, page >= 0 else { return }
            let length = count.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
            var text: [UInt8] = []
            while text.count < length {
                var part = [UInt8](repeating: 0, count: min(65_536, length - text.count))
                let got = recv(socket, &part, part.count, 0)
                if got <= 0 { return }
                text += part[..<got]
            }
            answer(page, String(decoding: text, as: UTF8.self))
            var done: UInt8 = 1
            _ = send(socket, &done, 1, Int32(MSG_NOSIGNAL))
        }
    }
}
