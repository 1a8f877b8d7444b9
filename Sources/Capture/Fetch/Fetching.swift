/// What gets URLs for a capture: the fetcher of this process, or one in a process of its own.
package protocol Fetching: AnyObject {
    /// Queues a request; the completion is called once, by `run`, never from within this call.
    func submit(_ request: FetchRequest, _ completion: @escaping Fetcher.Completion)
    /// Returns when everything that was submitted is answered, what completions submitted included.
    func run(until deadline: ContinuousClock.Instant)
    /// All cookies that are there: for a browser, before it opens the page.
    ///
    /// - Throws: if the person's cookie file cannot be used.
    func cookies(until deadline: ContinuousClock.Instant) throws -> [Cookie]
}

extension Fetcher: Fetching {
    package func cookies(until deadline: ContinuousClock.Instant) -> [Cookie] { cookies.all }
}
