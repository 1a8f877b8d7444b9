/// Addresses of documentation, by the words that their hosts and folders have by custom: `docs.example.org`,
/// `/documentation/`, `/reference/`.
enum DocumentationAddress {
    /// The first label of a host, without `www`.
    private static let labels: Set<String> = [
        "doc", "docs", "developer", "developers", "api", "manual", "reference", "wiki", "help", "support", "learn",
    ]
    private static let folders: Set<String> = [
        "doc", "docs", "documentation", "manual", "manuals", "man", "reference", "api", "guide", "guides", "tutorial",
        "tutorials", "handbook", "help", "wiki", "kb",
    ]

    /// - Parameter url: absolute, with a scheme.
    static func isOne(_ url: String) -> Bool {
        let address = url.prefix { $0 != "?" && $0 != "#" }
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 3 else { return false }
        let names = parts[2].lowercased().split(separator: ".").drop { $0 == "www" }
        if names.count > 2, let first = names.first, labels.contains(String(first)) { return true }
        if names.contains("readthedocs") { return true }
        return parts.dropFirst(3).dropLast().contains { folders.contains($0.lowercased()) }
    }
}
