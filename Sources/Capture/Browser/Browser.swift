/// A browser without a window, started by us and driven over a pair of sockets on its descriptors 3 and 4.
///
/// One thread at a time may use it. Order: `start`, any number of `render`, `close`; after a failure for which
/// `isOfBrowser` holds it is closed already and another one has to be started.
package final class Browser {
    /// Name and version as the browser tells them: `Chrome/156.0.8078.79`.
    package let version: String

    init(version: String) { self.version = version }

    /// - Parameters:
    ///   - folder: where the throw-away profile is made, and where those that a killed run left are removed.
    ///   - patience: how long the browser may take until it answers.
    package static func start(
        _ location: BrowserLocation, profilesIn folder: String, patience: Duration = .seconds(20)
    ) throws(BrowserFailure) -> Browser {
        fatalError()
    }

    /// Renders a page in a context of its own: cookies, cache and storage are not shared with other pages.
    package func render(_ request: RenderRequest) throws(BrowserFailure) -> RenderedPage { fatalError() }

    /// Ends the browser and removes its profile; done also when the last reference goes away.
    package func close() {}
}
