internal import Characters
internal import Files

/// Names that Windows, Android or a case-insensitive disk cannot store.
///
/// Sources: Microsoft, "Naming Files, Paths, and Namespaces"; exFAT specification, section 7.7.3. SMB and FAT compare
/// names without case; macOS ignores the normalisation form.
package enum Portability {
    static func findings(in directory: borrowing Directory, at path: String, depth: Int = 0) -> [Finding] {
        guard depth < 64, let entries = try? directory.entries() else { return [] }
        var findings: [Finding] = []
        var seen: [String: String] = [:]
        for entry in entries {
            let name = entry.name.repaired
            if let fault = fault(entry.name) { findings.append(Finding(.warning, path + "/" + name, fault)) }
            let folded = CanonicalComposition.nfc(name.lowercased())
            if let other = seen[folded] {
                findings.append(
                    Finding(.warning, path + "/" + name, .almostSameName(other)))
            }
            seen[folded] = name
            if entry.kind == .directory, let name = entry.name.string, let child = try? directory.directory(name) {
                findings += Self.findings(in: child, at: path + "/" + name, depth: depth + 1)
            }
        }
        return findings
    }

    /// What is wrong with a name, or `nil`.
    static func fault(_ name: FileName) -> Finding.Kind? {
        guard let text = name.string else { return .nameNotUTF8 }
        if let scalar = text.unicodeScalars.first(where: { "<>:\"\\|?*".unicodeScalars.contains($0) }) {
            return .nameWithCharacter(scalar)
        }
        if text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            return .nameWithControl
        }
        if text.hasSuffix(".") || text.hasSuffix(" ") { return .nameWithDotOrSpaceAtEnd }
        let stem = text.split(separator: ".", omittingEmptySubsequences: false)[0].uppercased()
        if isDevice(stem) { return .nameOfDevice(stem) }
        if text.utf16.count > 255 { return .nameTooLong }
        return nil
    }

    /// Whether Windows reserves a name for a device.
    ///
    /// - Parameter stem: the name up to its first dot, in capital letters.
    package static func isDevice(_ stem: String) -> Bool {
        let isNumbered =
            stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT")) && stem.last?.isNumber == true
        return ["CON", "PRN", "AUX", "NUL"].contains(stem) || isNumbered
    }
}
