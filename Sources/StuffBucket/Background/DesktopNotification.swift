internal import Files
internal import Glibc

/// Shows a notification on the desktop, by the program notify-send of libnotify.
public struct DesktopNotification: Sendable {
    /// The program: a name on PATH, or a path.
    package var program = "notify-send"
    /// The time for the program, in seconds. A desktop that does not answer keeps it waiting.
    package var seconds = 10

    /// Makes a way to show notifications.
    public init() {}

    /// Shows a notification. The texts are the program's arguments; no shell sees them.
    ///
    /// - Parameters:
    ///   - title: one line.
    ///   - text: the rest. Desktops read some markup in it, so `<`, `>` and `&` are escaped.
    /// - Returns: whether the program said that it was shown.
    public func show(_ title: String, _ text: String) -> Bool {
        guard let path = path else { return false }
        let words = ["--app-name=StuffBucket", "--", title, Self.escaped(text)]
        guard let process = try? ChildProcess(path: path, arguments: words, isQuiet: true) else { return false }
        process.closeInput()
        let deadline = ContinuousClock.now + .seconds(seconds)
        do throws(ChildProcess.Silence) {
            while true { _ = try process.line(before: deadline, limit: 1 << 16) }
        } catch .ended(let status) {
            return status == 0
        } catch {
            process.kill()
            return false
        }
    }

    private var path: String? {
        if program.utf8.contains(UInt8(ascii: "/")) { return access(program, X_OK) == 0 ? program : nil }
        guard let list = getenv("PATH").map({ String(cString: $0) }) else { return nil }
        return list.split(separator: ":").map { $0 + "/" + program }.first {
            $0.hasPrefix("/") && access($0, X_OK) == 0
        }
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
