import Glibc
import TestSupport
import Testing

@testable import StuffBucket

/// What background work asks the machine: its power, its desktop, its idle index.
struct MachineTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    struct Machine: Sendable, CustomTestStringConvertible {
        let name: String
        let supplies: [String: [String: String]]
        let isOnBattery: Bool
        var testDescription: String { name }
    }

    static let machines = [
        Machine(name: "a desktop", supplies: [:], isOnBattery: false),
        Machine(
            name: "a laptop on the mains",
            supplies: ["AC": ["type": "Mains", "online": "1"], "BAT0": ["type": "Battery", "status": "Charging"]],
            isOnBattery: false),
        Machine(
            name: "a laptop on its battery",
            supplies: ["AC": ["type": "Mains", "online": "0"], "BAT0": ["type": "Battery", "status": "Discharging"]],
            isOnBattery: true),
        Machine(
            name: "a weak USB charger",
            supplies: [
                "ucsi": ["type": "USB", "online": "1"],
                "BAT0": ["type": "Battery", "status": "Discharging", "scope": "System"],
            ], isOnBattery: false),
        Machine(
            name: "a mouse with a battery",
            supplies: ["hidpp": ["type": "Battery", "status": "Discharging", "scope": "Device"]], isOnBattery: false),
        Machine(
            name: "a UPS that supplies", supplies: ["ups": ["type": "UPS", "status": "Discharging"]], isOnBattery: true),
        Machine(name: "a battery that does not say", supplies: ["BAT0": ["type": "Battery"]], isOnBattery: false),
        Machine(name: "an entry without a type", supplies: ["x": ["online": "1"]], isOnBattery: false),
    ]

    @Test(arguments: machines)
    func `whether the battery empties`(_ machine: Machine) throws {
        try scratch.makeDirectory("class")
        for (name, values) in machine.supplies {
            for (file, value) in values { try scratch.write("devices/\(name)/\(file)", value + "\n") }
            // The kernel's entries are links.
            try scratch.link("class/" + name, to: "../devices/" + name)
        }
        #expect(PowerSupply.isOnBattery(below: scratch.full("class")) == machine.isOnBattery)
    }

    @Test func `a machine without the folder is not on battery`() {
        #expect(!PowerSupply.isOnBattery(below: scratch.full("none")))
    }

    // MARK: Notifications

    private func notifier(_ script: String) throws -> DesktopNotification {
        try scratch.write("notify", "#!/bin/sh\n" + script)
        try scratch.makeProgram("notify")
        var notification = DesktopNotification()
        notification.program = scratch.full("notify")
        notification.seconds = 20
        return notification
    }

    @Test func `texts are arguments that no shell reads, and markup is escaped`() throws {
        let notification = try notifier("printf '%s\\n' \"$@\" > '\(scratch.full("said"))'\n")
        #expect(notification.show("-title $(id)", "a `id` <b> & \"c\""))
        #expect(
            try scratch.text("said")
                == "--app-name=StuffBucket\n--\n-title $(id)\na `id` &lt;b&gt; &amp; \"c\"\n")
    }

    @Test func `a program that fails, hangs or is missing tells nobody`() throws {
        #expect(try !notifier("exit 1\n").show("t", "x"))
        var slow = try notifier("exec sleep 600\n")
        slow.seconds = 1
        #expect(!slow.show("t", "x"))
        var missing = DesktopNotification()
        missing.program = scratch.full("none")
        #expect(!missing.show("t", "x"))
        missing.program = "no-such-program-of-sbfs"
        #expect(!missing.show("t", "x"))
    }

    // MARK: The index

    @Test func `segments are merged until none is worth it`() throws {
        let sample = try SampleLibrary()
        #expect(try sample.library.careForIndex() == .nothing)
        #expect(try sample.library.find(ItemRequest()).count == 0)
        for number in 1...40 {
            try sample.put(UInt16(number), "item \(number)")
            _ = try sample.library.reindex(.changes)
        }
        var turns = 0
        while try sample.library.careForIndex() == .more { turns += 1; if turns > 10 { break } }
        #expect(try sample.library.careForIndex() == .nothing)
        #expect(try sample.library.find(ItemRequest()).count == 40)
    }
}
