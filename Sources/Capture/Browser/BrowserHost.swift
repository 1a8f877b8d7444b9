internal import Confinement
internal import Files
internal import Glibc

/// A browser and its gate, for the process that starts them and parses no pages.
///
/// It passes its sockets (`adoption`) to a confined process, which drives the browser and reads its messages. Order
/// of calls: `start`, any number of `use` and `use(nil)`, `close`.
package final class BrowserHost {
    package let location: BrowserLocation
    private let process: BrowserProcess
    private let profile: BrowserProfile
    private let gate: GateService
    private let gatePort: Int

    private init(
        _ location: BrowserLocation, _ process: BrowserProcess, _ profile: BrowserProfile, _ gate: GateService,
        _ gatePort: Int
    ) {
        self.location = location
        self.process = process
        self.profile = profile
        self.gate = gate
        self.gatePort = gatePort
    }

    deinit { close() }

    /// - Parameter folder: where the throw-away profile is made, if the browser's user can reach it.
    package static func start(
        _ location: BrowserLocation, profilesIn folder: String, memory: TypedAddressMemory?
    ) throws(BrowserFailure) -> BrowserHost {
        let user = try BrowserUser.standard()
        let profile = try BrowserProfile.make(in: user.profileFolder(wanted: folder), for: user)
        let (process, listener, port) = try BrowserProcess.start(location, profile, as: user)
        let gate: GateService
        do throws(BrowserFailure) {
            gate = try GateService.start(
                listener: listener, memory: memory, closing: [process.messages, process.errors])
        } catch {
            process.end()
            throw error
        }
        profile.note(group: process.group)
        return BrowserHost(location, process, profile, gate, port)
    }

    /// The sockets with which a confined process drives the browser. The descriptors stay open here.
    package var adoption: BrowserAdoption {
        BrowserAdoption(
            path: location.path, messages: process.messages, errors: process.errors, questions: gate.questions,
            gatePort: gatePort)
    }

    /// Lets the browser contact the addresses that an order allows, or none.
    ///
    /// - Returns: false if the gate has ended; the browser is then useless.
    package func use(_ target: FetchTarget?) -> Bool { gate.use(target) }

    /// Ends the browser and its gate, and removes its profile.
    package func close() {
        gate.close()
        process.end()
        profile.remove()
    }

    /// The memory of all processes of the browser, in bytes; 0 if unknown.
    package var memoryByteCount: Int { ProcessMemory.byteCount(ofGroup: process.group) }
}

/// The sockets of a browser that another process started.
package struct BrowserAdoption: Sendable {
    package let path: String
    package let messages: Int32
    package let errors: Int32
    package let questions: Int32
    let gatePort: Int
    /// Whether the browser has rendered other pages.
    package var isWorn = false
}
