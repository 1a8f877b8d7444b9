internal import Confinement
internal import Files
internal import Glibc

/// A browser and its gate, as seen by the process that starts them and parses no pages.
///
/// It hands its sockets to a process that is confined (`adoption`), which drives the browser and reads what it says.
/// Order: `start`, any number of `use` and `use(nil)`, `close`.
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

    /// - Parameter folder: where the throw-away profile is made, if the browser's user can come to it.
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

    /// What a confined process needs to drive it. The descriptors stay open here.
    package var adoption: BrowserAdoption {
        BrowserAdoption(
            path: location.path, messages: process.messages, errors: process.errors, questions: gate.questions,
            gatePort: gatePort)
    }

    /// Lets the browser reach what an order may reach, or nothing.
    ///
    /// - Returns: false if the gate has ended; the browser is of no use then.
    package func use(_ target: FetchTarget?) -> Bool { gate.use(target) }

    /// Ends the browser and its gate, and removes its profile.
    package func close() {
        gate.close()
        process.end()
        profile.remove()
    }

    /// The bytes of memory that the browser's processes hold together; 0 where that is unknown.
    package var memoryByteCount: Int { ProcessMemory.byteCount(ofGroup: process.group) }
}

/// The sockets of a browser that another process started.
package struct BrowserAdoption: Sendable {
    package let path: String
    package let messages: Int32
    package let errors: Int32
    package let questions: Int32
    let gatePort: Int
}
