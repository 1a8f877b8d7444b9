import Glibc
import Testing

@testable import Capture

struct BrowserStartTests {
    /// In a process of its own, so that no child of another test is there.
    @Test func `a program that cannot be started leaves no process behind`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            for number in 0..<50 {
                do {
                    _ = try BrowserProcess.start(["/no/such/program-\(number)"], environment: [])
                    exit(2)
                } catch BrowserFailure.didNotStart {
                    continue
                } catch {
                    exit(3)
                }
            }
            var found = siginfo_t()
            // Neither a child that runs nor one that nobody waited for.
            let result = waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT)
            exit(result == -1 && errno == ECHILD ? 7 : 4)
        }
    }
}
