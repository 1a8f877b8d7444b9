internal import Glibc

/// The browser's arguments and environment.
enum BrowserArguments {
    static func words(program: String, profile: String) -> [String] {
        var words = [program] + fixed
        words.append("--user-data-dir=\(profile)")
        // Nothing listens there, so requests of the browser itself, such as to its maker's servers, fail. Pages use
        // the gate as their proxy, set in their context.
        words.append("--proxy-server=socks5://127.0.0.1:1")
        if !hasSharedMemory { words.append("--disable-dev-shm-usage") }
        return words
    }

    private static let fixed = [
        "--headless=new", "--remote-debugging-pipe", "--no-startup-window", "--no-first-run",
        "--no-default-browser-check", "--disable-gpu", "--hide-scrollbars", "--mute-audio",
        "--force-device-scale-factor=1", "--force-color-profile=srgb", "--window-size=1280,800",
        // No requests that the page did not make, and no questions to the person.
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
        "--disable-default-apps", "--disable-breakpad", "--disable-crash-reporter", "--disable-domain-reliability",
        "--no-pings",
        "--disable-client-side-phishing-detection", "--disable-component-extensions-with-background-pages",
        "--disable-search-engine-choice-screen", "--disable-notifications", "--disable-prompt-on-repost",
        "--password-store=basic", "--use-mock-keychain", "--metrics-recording-only", "--block-new-web-contents",
        "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication,"
            + "CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions,LensOverlay,"
            + "GlobalMediaControls,PaintHolding,WebBluetooth,"
            // A process kept ready for a context's next page: each context has one page.
            + "SpareRendererForSitePerProcess,"
            // Pages of the browser's own, in another process: each context has a window with an address bar.
            + "WebUIOmniboxPopup,WebUIOmniboxAimPopup",
        // Hidden pages must run at full speed.
        "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
        "--disable-background-timer-throttling",
        // All traffic through the gate: loopback too, no name look-ups in the browser, no UDP.
        "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--disable-quic", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    ]

    /// In containers /dev/shm often has 64 MiB. Large pages exceed it, and their processes crash.
    private static var hasSharedMemory: Bool {
        var status = statvfs()
        return statvfs("/dev/shm", &status) == 0 && access("/dev/shm", W_OK) == 0
            && UInt64(status.f_blocks) * UInt64(status.f_frsize) >= 512 << 20
    }

    /// The part of our environment that a browser needs: no keys and no proxies. For another user, the profile is the
    /// home.
    static func environment(_ user: BrowserUser, _ profile: BrowserProfile) -> [String] {
        let kept: Set<String> = [
            "PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE",
        ]
        let ofHome: Set<String> = [
            "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "TMPDIR",
        ]
        var variables = user.isOwn ? [] : ["HOME=\(profile.path)"]
        // A socket's path has at most 107 bytes. Chromium's own names take 46 of them; it crashes on a longer path.
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
