internal import Glibc

/// How the browser is started.
enum BrowserArguments {
    static func words(program: String, profile: String) -> [String] {
        var words = [program] + fixed
        words.append("--user-data-dir=\(profile)")
        // Nobody listens there: what the browser wants for itself, such as its maker's servers, comes to nothing. Pages
        // have the gate for a proxy, by their context.
        words.append("--proxy-server=socks5://127.0.0.1:1")
        if !hasSharedMemory { words.append("--disable-dev-shm-usage") }
        return words
    }

    private static let fixed = [
        "--headless=new", "--remote-debugging-pipe", "--no-startup-window", "--no-first-run",
        "--no-default-browser-check", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
        "--force-device-scale-factor=1", "--force-color-profile=srgb", "--window-size=1280,800",
        // Nothing that the page did not ask for, and nothing that asks the person.
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
        "--disable-default-apps", "--disable-breakpad", "--disable-crash-reporter", "--disable-domain-reliability",
        "--no-pings",
        "--disable-client-side-phishing-detection", "--disable-component-extensions-with-background-pages",
        "--disable-search-engine-choice-screen", "--disable-notifications", "--disable-prompt-on-repost",
        "--password-store=basic", "--use-mock-keychain", "--metrics-recording-only", "--block-new-web-contents",
        "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,"
            + "CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions,LensOverlay,"
            + "GlobalMediaControls,PaintHolding,WebBluetooth",
        // A page that is not looked at works at full speed.
        "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
        "--disable-background-timer-throttling",
        // Everything through the gate: loopback too, no look-ups of its own, no UDP.
        "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--disable-quic", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    ]

    /// In containers /dev/shm often has 64 MiB, which large pages exceed: their processes crash then.
    private static var hasSharedMemory: Bool {
        var status = statvfs()
        return statvfs("/dev/shm", &status) == 0 && access("/dev/shm", W_OK) == 0
            && UInt64(status.f_blocks) * UInt64(status.f_frsize) >= 512 << 20
    }

    /// What a browser needs of ours: no keys and no proxies. Another user's browser has its profile for a home.
    static func environment(_ user: BrowserUser, _ profile: BrowserProfile) -> [String] {
        let kept: Set<String> = [
            "PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE",
        ]
        let ofHome: Set<String> = [
            "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "TMPDIR",
        ]
        var variables = user.isOwn ? [] : ["HOME=\(profile.path)"]
        // The path of a socket has at most 107 bytes, of which Chromium's own names take 46: it crashes on a longer one.
        if !user.isOwn, profile.path.utf8.count <= 60 { variables.append("TMPDIR=\(profile.path)") }
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            let name = String(text.prefix { $0 != "=" })
            if kept.contains(name) || name.hasPrefix("LC_") || user.isOwn && ofHome.contains(name) {
                variables.append(text)
            }
            next += 1
        }
        return variables
    }
}
