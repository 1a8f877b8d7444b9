internal import Confinement
internal import Glibc
internal import WorkerProtocol

extension TrialOrder {
    /// Tries actions that a process with the profile must not be able to perform, and reports the results.
    func run() {
        guard let trial = Trial(rawValue: action) else {
            return Answer<Self>.error(CaptureDetail(.noSuchTrial, values: Trial.allCases.map(\.rawValue)))
        }
        let number = trial.run(target)
        let name =
            switch number {
            case 0: "done"
            case EPERM: "EPERM"
            case EACCES: "EACCES"
            case ENOSYS: "ENOSYS"
            case ENOTTY: "ENOTTY"
            default: String(cString: strerror(number))
            }
        Answer<Self>.result(Reply(outcome: name))
    }
}
