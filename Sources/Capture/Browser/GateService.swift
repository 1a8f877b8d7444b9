internal import Confinement
internal import Files
internal import Glibc
internal import JSONFormat
internal import WorkerProtocol

/// A gate in a separate process, with the rights of the profile `fetch`.
///
/// It has two sockets. The creator sets the rule through one. The browser's driver asks through the other which
/// connections were refused.
final class GateService {
    private let child: ConfinedChild
    private let rules: MessageSocket
    /// The socket for the process that drives the browser.
    let questions: Int32

    private init(child: ConfinedChild, rules: MessageSocket, questions: Int32) {
        self.child = child
        self.rules = rules
        self.questions = questions
    }

    deinit { close() }
    private var isClosed = false

    /// - Parameters:
    ///   - listener: a listening socket; the gate becomes its owner.
    ///   - unneeded: descriptors that the new process closes.
    static func start(
        listener: Int32, memory: TypedAddressMemory?, closing unneeded: [Int32]
    ) throws(BrowserFailure) -> GateService {
        let (ownRules, itsRules) = try MessageSocket.pair()
        let (questions, itsQuestions) = try MessageSocket.pair()
        do throws(ConfinedChild.Failure) {
            let child = try ConfinedChild.start {
                Confinement(.fetch).apply()
                for each in unneeded + [ownRules, questions, 0, 1] { Glibc.close(each) }
                return serve(listener, MessageSocket(itsRules), MessageSocket(itsQuestions), memory)
            }
            for each in [listener, itsRules, itsQuestions] { Glibc.close(each) }
            return GateService(child: child, rules: MessageSocket(ownRules), questions: questions)
        } catch {
            for each in [listener, ownRules, itsRules, questions, itsQuestions] { Glibc.close(each) }
            throw .system(call: "fork", number: error.number)
        }
    }

    /// Sets the rule, and returns when it is in force; `nil` refuses everything.
    ///
    /// - Returns: false if the gate has ended.
    func use(_ target: FetchTarget?) -> Bool {
        rules.send(target?.json ?? .object([])) && rules.receive(until: .now + .seconds(5)) != nil
    }

    func close() {
        if isClosed { return }
        isClosed = true
        child.end()
        Glibc.close(questions)
    }

    // MARK: In the new process

    private static func serve(
        _ listener: Int32, _ rules: MessageSocket, _ questions: MessageSocket, _ memory: TypedAddressMemory?
    ) -> Int32 {
        guard let gate = try? ConnectionGate.open(listener: listener) else { return 1 }
        while !rules.hasEnded {
            var polled = [
                pollfd(fd: rules.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: questions.hasEnded ? -1 : questions.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if uninterrupted({ poll(&polled, 2, -1) }) < 0 { return 1 }
            if polled[0].revents != 0 { rules.read() }
            while let (message, _) = rules.take() {
                let target = try? FetchTarget(WireFields(message, of: "a rule"))
                gate.use(target.map { Reach.rule($0, memory: memory) })
                rules.send(.object([]))
            }
            if polled[1].revents != 0 { questions.read() }
            while let (message, _) = questions.take() { questions.send(answer(message, gate)) }
        }
        return 0
    }

    private static func answer(_ question: Message, _ gate: ConnectionGate) -> JSON {
        guard let target = question.string("target").flatMap({ HostPort($0) }) else {
            return .members([("refused", .strings(gate.refused.map(\.description)))])
        }
        return switch gate.failure(of: target) {
        case .refused: .members([("failure", .string("refused"))])
        case .noSuchHost: .members([("failure", .string("host"))])
        case .unreachable(let number):
            .members([("failure", .string("unreachable")), ("number", .integer(Int(number)))])
        case nil: .members([])
        }
    }
}
