internal import CConfinement
internal import Files
internal import Glibc

/// A running program with a socket on its descriptors 3 and 4, in a separate process group.
///
/// `end()` kills the whole group; releasing the last reference does so too. If this process dies without it, the
/// other end of the socket closes, and the browser ends by itself.
final class BrowserProcess {
    /// Our ends: messages to and from the browser, and its standard error. Neither blocks.
    let messages: Int32
    let errors: Int32
    private let leader: pid_t
    private var isOver = false

    private init(leader: pid_t, messages: Int32, errors: Int32) {
        self.leader = leader
        self.messages = messages
        self.errors = errors
    }

    deinit {
        end()
        close(messages)
        close(errors)
    }

    /// The process group's number.
    var group: Int { Int(leader) }

    /// The gate's port on the loopback interface of the browser's own network namespace.
    private static let lonelyPort: UInt16 = 1080
    /// The limit of one browser process's private memory: twice what the largest pages use.
    private static let dataLimit: UInt64 = 4 << 30

    /// Starts a browser that can reach only the gate: in its own network namespace if one can be made, otherwise by
    /// its arguments.
    ///
    /// - Returns: the process, the socket on which the gate must listen, and its port as the browser sees it.
    static func start(
        _ location: BrowserLocation, _ profile: BrowserProfile, as user: BrowserUser
    ) throws(BrowserFailure) -> (BrowserProcess, listener: Int32, port: Int) {
        let words = BrowserArguments.words(program: location.path, profile: profile.dataPath)
        let environment = BrowserArguments.environment(user, profile)
        do throws(BrowserFailure) {
            let (process, listener) = try start(words, environment: environment, as: user, hasOwnNetwork: true)
            return (process, listener, Int(lonelyPort))
        } catch {
            guard case .noOwnNetwork = error else { throw error }
        }
        let (listener, port) = try ConnectionGate.listener()
        do throws(BrowserFailure) {
            return (try start(words, environment: environment, as: user).0, listener, port)
        } catch {
            close(listener)
            throw error
        }
    }

    /// - Parameter words: the program's absolute path and its arguments.
    static func start(
        _ words: [String], environment: [String], as user: BrowserUser = .own, hasOwnNetwork: Bool = false
    ) throws(BrowserFailure) -> (BrowserProcess, listener: Int32) {
        let messages = try pair()
        let errors: (ours: Int32, theirs: Int32)
        do throws(BrowserFailure) {
            errors = try pair()
        } catch {
            close(messages.ours)
            close(messages.theirs)
            throw error
        }
        defer {
            close(messages.theirs)
            close(errors.theirs)
        }
        Socket.stopBlocking(messages.ours)
        Socket.stopBlocking(errors.ours)
        // Their end too: a browser that writes a lot loses output instead of waiting until we read it.
        Socket.stopBlocking(errors.theirs)
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var listener: Int32 = -1
        var report = cconfinement_start_report()
        let leader = arguments.withUnsafeBufferPointer { arguments in
            variables.withUnsafeBufferPointer { variables in
                var start = cconfinement_start()
                start.words = arguments.baseAddress
                start.environment = variables.baseAddress
                start.errors = errors.theirs
                start.messages = messages.theirs
                if case .other(_, let number, let group) = user {
                    (start.user, start.group, start.changes_user) = (number, group, 1)
                }
                start.lonely_port = hasOwnNetwork ? lonelyPort : 0
                start.data_limit = dataLimit
                return cconfinement_start_program(&start, &listener, &report)
            }
        }
        if leader < 0 {
            close(messages.ours)
            close(errors.ours)
            let why = String(cString: strerror(report.number))
            switch UInt32(report.step) {
            case UInt32(CCONFINEMENT_STEP_NETWORK): throw .noOwnNetwork(report.number)
            case UInt32(CCONFINEMENT_STEP_USER): throw .noOtherUser
            case UInt32(CCONFINEMENT_STEP_EXEC): throw .didNotStart(path: words[0], said: why)
            default: throw .system(call: "fork", number: report.number)
            }
        }
        return (BrowserProcess(leader: leader, messages: messages.ours, errors: errors.ours), listener)
    }

    /// Two connected sockets that exec closes. Theirs gets a number above the child's fixed descriptors, because a
    /// dup2 of 3 onto 3 would leave it to be closed.
    private static func pair() throws(BrowserFailure) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        if socketpair(AF_UNIX, Socket.stream | Socket.closedAtExec, 0, &ends) != 0 {
            throw .system(call: "socketpair", number: errno)
        }
        let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        let number = errno
        close(ends[1])
        if theirs < 0 {
            close(ends[0])
            throw .system(call: "fcntl", number: number)
        }
        return (ends[0], theirs)
    }

    /// Kills the process group and reaps its leader.
    func end() {
        if isOver { return }
        isOver = true
        // The leader has not been waited for, so its number still belongs to it.
        kill(-leader, SIGKILL)
        kill(leader, SIGKILL)
        _ = ProcessEnd.wait(for: leader)
    }
}
