internal import Confinement
internal import Glibc
internal import JSONFormat
internal import Work

/// `trial`: tries what a process of a profile must not be able to do, and tells what came of it. For tests.
enum TrialOrder {
    static func run(_ order: Message) {
        guard let trial = order.string("action").flatMap(Trial.init(rawValue:)) else {
            return Answer.error("trial needs an action: " + Trial.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let number = trial.run(order.string("target") ?? "")
        let name =
            switch number {
            case 0: "done"
            case EPERM: "EPERM"
            case EACCES: "EACCES"
            case ENOSYS: "ENOSYS"
            case ENOTTY: "ENOTTY"
            default: String(cString: strerror(number))
            }
        Answer.result(.members([("outcome", .string(name))]))
    }
}
