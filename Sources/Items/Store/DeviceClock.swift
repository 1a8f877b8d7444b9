internal import Files
internal import Glibc
internal import JSONFormat
public import Time

/// The clock and the uptime of this machine at one moment.
package struct ClockReading: Equatable, Sendable {
    /// The clock's time.
    package var time: Timestamp
    /// Identifies the current boot; empty if unknown.
    package var boot: String
    /// Seconds since that boot, including sleep.
    package var uptime: Int64

    /// Makes a reading; `uptime` is in seconds.
    package init(time: Timestamp, boot: String, uptime: Int64) {
        self.time = time
        self.boot = boot
        self.uptime = uptime
    }

    static var now: ClockReading {
        var up = timespec()
        clock_gettime(CLOCK_BOOTTIME, &up)
        let kernel = try? Directory(path: "/proc/sys/kernel/random").contentsIfPresent(of: "boot_id", limit: 64)
        let boot = String(decoding: (kernel?.bytes ?? []).prefix { $0 > 0x20 }, as: UTF8.self)
        return ClockReading(time: .now, boot: boot, uptime: Int64(up.tv_sec))
    }
}

/// The clock is far ahead of every known time.
public struct ClockDoubt: Error, Equatable, Sendable {
    /// The clock's time.
    public let now: Timestamp
    /// The newest time that was trusted.
    public let newest: Timestamp
}

extension ClockDoubt: CustomStringConvertible {
    /// Why the clock is not trusted, as a clause for a person.
    public var description: String {
        "the clock of this machine says \(now.localDate), and the newest time on record is \(newest.localDate)"
    }
}

/// `.sbfs/clock`: the newest trusted time and, if the clock was found far ahead of it, when that was first seen.
///
/// A clock may be wrong because of a flat battery or a typing error. A purge because of a wrong clock cannot be taken
/// back. A jump of more than a day therefore counts only after 24 hours of uptime, or after a later start of the
/// machine. DeviceFiles.md § D5.
package struct DeviceClock: Equatable, Sendable {
    /// The newest reading that was trusted.
    package var newest: ClockReading
    /// When the clock was first found too far ahead; `nil` while it is trusted.
    package var ahead: ClockReading?

    /// Makes a record of known readings.
    package init(newest: ClockReading, ahead: ClockReading? = nil) {
        self.newest = newest
        self.ahead = ahead
    }

    private static let day: Int64 = 86_400

    /// Records a reading of the clock.
    ///
    /// - Returns: whether the clock is trusted.
    package mutating func observe(_ now: ClockReading) -> Bool {
        // Within one boot, the uptime tells how much time has passed.
        let elapsed = now.boot == newest.boot ? max(0, now.uptime - newest.uptime) : 0
        if now.time <= newest.time.adding(seconds: elapsed + Self.day) {
            newest = now
            ahead = nil
            return true
        }
        guard let ahead, now.time >= ahead.time else {
            ahead = now
            return false
        }
        if now.boot == ahead.boot, now.uptime - ahead.uptime < Self.day { return false }
        newest = now
        self.ahead = nil
        return true
    }

    // MARK: The file

    init?(parsing bytes: [UInt8]) {
        guard let json = try? JSONDocument(parsing: bytes) else { return nil }
        func reading(_ key: String) -> ClockReading? {
            guard let value = json.member(key, of: json.root),
                let time = json.member("time", of: value).flatMap({ json.string($0) }).flatMap({ Timestamp($0) }),
                let boot = json.member("boot", of: value).flatMap({ json.string($0) }),
                let uptime = json.member("uptime", of: value).flatMap({ json.count($0) })
            else { return nil }
            return ClockReading(time: time, boot: boot, uptime: Int64(uptime))
        }
        guard let newest = reading("newest") else { return nil }
        self.init(newest: newest, ahead: reading("ahead"))
    }

    var bytes: [UInt8] {
        func json(_ reading: ClockReading) -> JSON {
            .members([
                ("time", .string(reading.time.rfc3339)), ("boot", .string(reading.boot)),
                ("uptime", .integer(Int(reading.uptime))),
            ])
        }
        return JSONWriter.file(.members([("newest", json(newest)), ("ahead", ahead.map(json))]))
    }
}

extension WriteSession {
    /// As `clockDoubt`, for a caller that has its own time.
    package func clockDoubt(at time: Timestamp) -> ClockDoubt? {
        var reading = ClockReading.now
        reading.time = time
        return clockDoubt(at: reading)
    }

    /// Reads the clock. Everything that changes the library calls this.
    ///
    /// - Returns: `nil` if the clock is trusted.
    @discardableResult
    package func clockDoubt(at now: ClockReading? = nil) -> ClockDoubt? {
        guard let device else { return nil }
        let now = now ?? .now
        let contents = (try? device.directory.contentsIfPresent(of: Layout.clock, limit: 4096)) ?? nil
        let known = contents.flatMap { DeviceClock(parsing: $0.bytes) }
        var clock = known ?? DeviceClock(newest: firstReading(device, now))
        let newest = clock.newest.time
        let isBelieved = clock.observe(now)
        // Writes at most once an hour, and after each jump.
        let age = clock.newest.time.milliseconds - (known?.newest.time.milliseconds ?? .min / 2)
        if clock.ahead != known?.ahead || clock.newest.boot != known?.newest.boot || abs(age) > 3_600_000 {
            try? device.directory.replaceFile(Layout.clock, with: clock.bytes)
        }
        return isBelieved ? nil : ClockDoubt(now: now.time, newest: newest)
    }

    /// The first reading, if none is recorded: when this copy was first opened, its index last compared, or a trashed
    /// item noted.
    private func firstReading(_ device: DeviceFolder, _ now: ClockReading) -> ClockReading {
        let times = [Layout.sweep, Layout.trashLog].compactMap { name in
            ((try? device.directory.statusOfKnownPath(name)) ?? nil).map { Timestamp(nanoseconds: $0.modified) }
        }
        let newest = ([device.adoptedAt] + times).filter { $0 <= now.time }.max() ?? now.time
        return ClockReading(time: newest, boot: "", uptime: 0)
    }
}
