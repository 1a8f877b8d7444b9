import StuffBucket

extension Commands {
    static let capture = Command(
        "capture", .tools, "Save a page into a folder", arguments: "URL DIR",
        details: """
            Writes page.html, reader.html and assets/ into DIR, which must be empty or new; with --pdf and \
            --screenshot page.pdf and page.png. If the link leads to \
            another kind of file, writes document/. Prints status, title, author, date and the number of missing files \
            as JSON.

            The address that you type may be private. Addresses that the page loads may not, unless --allow-private is \
            given or CAPTURE_ALLOW lists them (host:port, separated by commas). CAPTURE_COOKIES may name a cookie \
            file.
            """,
        options: captureOptions + printOptions + [
            Option("from", value: "FILE", "use a saved page (HTML, MHTML, .webarchive) instead of fetching")
        ],
        examples: [
            .init("sbfs capture https://example.org saved", "into the folder saved"),
            .init("sbfs capture --browser never https://example.org saved", "without a browser"),
        ]
    ) { invocation in
        guard invocation.positionals.count == 2 else { throw invocation.usage("capture needs a URL and a folder") }
        let path = FileOfPerson.absolute(invocation.positionals[1])
        let folder = LocalFolder(path)
        try folder.make()
        if let name = try folder.names().first {
            throw CommandFailure(.failed, "\(path) is not empty (\(name)); give a new folder")
        }
        var options = try invocation.archiveOptions()
        options.isTyped = true
        if let file = invocation.value("from") {
            if options.isPrinted || options.isPictured {
                throw invocation.usage("--pdf and --screenshot need the page itself, not --from")
            }
            options.savedFile = FileOfPerson.absolute(file)
        } else {
            try invocation.refuseOffline()
        }
        let worker = try WorkerProgram.worker()
        let report = try worker.capture(invocation.positionals[0], into: path, options) {
            invocation.talk.say($0.description)
        }
        worker.end()
        if report.status == .failed {
            throw CommandFailure(
                report.isNetworkFailure ? .network : .failed,
                "\(invocation.positionals[0]): \(report.wording ?? "it could not be saved")")
        }
        if report.status == .partial, let reason = report.wording { invocation.talk.warn("saved in part: \(reason)") }
        try invocation.output.write(Printable.json(report.json.file))
        return .done
    }

    static let extract = Command(
        "extract", .tools, "Extract the article from an HTML file",
        arguments: "FILE URL | --explain FILE URL | --serve",
        details: """
            Prints the article of a saved page as one line of JSON: title, author, date, site, language and text. URL \
            is the page's address: sbfs uses it for relative links and dates. With --explain, prints a page of HTML \
            instead: each block of text, whether it is kept, and why. With --serve, reads lines of JSON \
            ({"html": FILE, "url": URL}) from standard input and answers each with a line.
            """,
        options: [
            Option("explain", "show what was kept and dropped, as HTML"),
            Option("serve", "answer requests on standard input until it ends"),
        ],
        examples: [
            .init("sbfs extract page.html https://example.org/post", "one page"),
            .init("sbfs extract --explain page.html https://example.org/post > why.html", "the decisions"),
            .init("sbfs extract --serve < requests.jsonl", "many"),
        ]
    ) { invocation in
        if !invocation.has("serve"), invocation.positionals.count != 2 {
            throw invocation.usage("extract needs a file and its URL, or --serve")
        }
        if invocation.has("serve"), invocation.has("explain") {
            throw invocation.usage("extract takes --explain or --serve, not both")
        }
        let words = invocation.has("serve") ? ["--serve"] : invocation.positionals
        if invocation.has("explain") { try WorkerProgram.become(["extract", "--explain"] + words) }
        try WorkerProgram.become(["extract"] + words)
        throw CommandFailure(.failed, "sbfs-worker cannot be started")
    }
}
