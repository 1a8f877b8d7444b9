internal import Files

/// Where this machine has its power from, as the kernel says in /sys/class/power_supply
/// (Documentation/ABI/testing/sysfs-class-power of the Linux sources).
package enum PowerSupply: Sendable {
    /// The kernel's folder.
    package static let usualFolder = "/sys/class/power_supply"

    /// Whether the machine runs on a battery that empties. A machine without a battery, or one that does not say, does
    /// not.
    ///
    /// - Parameter folder: the kernel's folder.
    package static func isOnBattery(below folder: String = usualFolder) -> Bool {
        guard let supplies = try? Directory(path: folder), let entries = try? supplies.entries() else { return false }
        var isDischarging = false
        for entry in entries {
            // The entries are symbolic links to folders.
            guard let name = entry.name.string, let supply = try? Directory(path: folder + "/" + name) else { continue }
            func value(_ file: String) -> String? {
                guard let contents = try? supply.contentsIfPresent(of: file, limit: 4096) else { return nil }
                return String(decoding: contents.bytes.prefix { $0 > 0x20 }, as: UTF8.self)
            }
            switch value("type") {
            case "Mains", "USB", "Wireless":
                if value("online") == "1" { return false }
            case "Battery", "UPS":
                // The batteries of mice and headsets have the scope Device.
                if value("scope") != "Device", value("status") == "Discharging" { isDischarging = true }
            default: break
            }
        }
        return isDischarging
    }
}
