import Testing

@testable import Capture

struct BrowserFailureTests {
    /// A case without values has the name of its detail's code: making the one from the other must not call itself.
    @Test(arguments: [
        (BrowserFailure.noOtherUser, "as the user nobody"), (.tooMuchMemory, "memory"), (.died(said: "x"), "x"),
        (.hung(waitingFor: "an answer"), "an answer"), (.pageCrashed(url: "https://e.org/"), "e.org"),
        (.noSandbox(path: "/bin/b"), "/bin/b"), (.folder("no room"), "no room"), (.noOwnNetwork(1), "permitted"),
    ])
    func `each failure has a sentence`(_ failure: BrowserFailure, words: String) {
        #expect(failure.description.contains(words), "\(failure)")
    }
}
