import Glibc
import StuffBucket

/// The bookmarks of the browsers installed here.
struct BrowserProfiles {
    enum Family: String, CaseIterable {
        case chromium, firefox
    }

    struct Profile {
        let family: Family
        /// The browser: "Chromium", "Brave".
        let browser: String
        /// The name of the profile's folder.
        let name: String
        /// The file with the bookmarks.
        let path: String
    }

    /// Profiles with bookmarks, the most likely one first.
    static func find(_ family: Family) -> [Profile] { family == .chromium ? chromium() : firefox() }

    private static var configHome: String {
        Environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? Environment.home + "/.config"
    }

    private static func chromium() -> [Profile] {
        let home = Environment.home
        let places = [
            ("Chromium", configHome + "/chromium"), ("Chrome", configHome + "/google-chrome"),
            ("Brave", configHome + "/BraveSoftware/Brave-Browser"), ("Edge", configHome + "/microsoft-edge"),
            ("Vivaldi", configHome + "/vivaldi"), ("Chromium", home + "/snap/chromium/common/chromium"),
            ("Chromium", home + "/.var/app/org.chromium.Chromium/config/chromium"),
            ("Chrome", home + "/.var/app/com.google.Chrome/config/google-chrome"),
            ("Brave", home + "/.var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser"),
        ]
        return places.flatMap { browser, folder in
            // "Default" sorts before "Profile 1".
            names(in: folder).compactMap { name in
                let path = "\(folder)/\(name)/Bookmarks"
                guard isFile(path) else { return nil }
                return Profile(family: .chromium, browser: browser, name: name, path: path)
            }
        }
    }

    private static func firefox() -> [Profile] {
        let home = Environment.home
        let places = [
            home + "/.mozilla/firefox", configHome + "/mozilla/firefox",
            home + "/snap/firefox/common/.mozilla/firefox", home + "/.var/app/org.mozilla.firefox/.mozilla/firefox",
        ]
        let found = places.flatMap { folder in
            names(in: folder).compactMap { name -> (Profile, backup: String)? in
                let backups = "\(folder)/\(name)/bookmarkbackups"
                // bookmarks-2026-11-21_57_hash.jsonlz4: the date comes first.
                guard let newest = names(in: backups).last(where: { $0.hasPrefix("bookmarks-") }) else { return nil }
                return (
                    Profile(family: .firefox, browser: "Firefox", name: name, path: "\(backups)/\(newest)"), newest
                )
            }
        }
        return found.sorted { $0.backup > $1.backup }.map(\.0)
    }

    private static func names(in folder: String) -> [String] {
        ((try? LocalFolder(folder).names()) ?? []).sorted()
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

extension Invocation {
    /// The bookmarks file for `chromium`, `firefox` or `firefox:PROFILE`.
    func bookmarks(of wanted: String) throws -> String {
        let parts = wanted.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let family = BrowserProfiles.Family(rawValue: parts[0].lowercased()) else {
            throw usage("--from takes chromium or firefox, not \"\(parts[0])\"")
        }
        let profiles = BrowserProfiles.find(family)
        let names = profiles.map { "\($0.browser) \($0.name)" }.joined(separator: ", ")
        if profiles.isEmpty {
            throw CommandFailure(
                .nothingFound,
                family == .firefox
                    ? "no backup of Firefox's bookmarks was found; Firefox writes one a day, or export them as HTML"
                    : "no bookmarks of Chromium, Chrome, Brave, Edge or Vivaldi were found")
        }
        if parts.count == 2 {
            // Firefox names its folders like abcd1234.default-release.
            let chosen = profiles.first { $0.name == parts[1] || $0.name.hasSuffix("." + parts[1]) }
            guard let chosen else {
                throw CommandFailure(.nothingFound, "there is no profile \"\(parts[1])\"; there are: \(names)")
            }
            return chosen.path
        }
        if profiles.count > 1 {
            talk.say(
                "taking \(profiles[0].browser) \(profiles[0].name); there are: \(names); name one with "
                    + "--from \(family.rawValue):PROFILE")
        }
        return profiles[0].path
    }
}
