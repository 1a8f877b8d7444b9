/// Fetches URLs for a capture, in this process or through another one.
package protocol Fetching: AnyObject {
    /// Queues a request. `run` calls the completion once, never within this call.
    func submit(_ request: FetchRequest, _ completion: @escaping Fetcher.Completion)
    /// Returns when every request is answered, including those that completions submitted.
    func run(until deadline: ContinuousClock.Instant)
    /// All cookies, for a browser before it opens the page.
    ///
    /// - Throws: if the person's cookie file cannot be used.
    func cookies(until deadline: ContinuousClock.Instant) throws -> [Cookie]
}

extension Fetcher: Fetching {
    package func cookies(until deadline: ContinuousClock.Instant) -> [Cookie] { cookies.all }
}
