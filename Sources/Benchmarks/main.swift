import Glibc
internal import JSONFormat

/// `sbfs-bench`: prints figures with units for people; nothing here is a test.
let words = Array(CommandLine.arguments.dropFirst())
do {
    switch words.first {
    case "watch": try WatchBenchmark.run(Array(words.dropFirst()))
    case "library": try LibraryBenchmark.run(Array(words.dropFirst()))
    case "search": try SearchBenchmark.run(Array(words.dropFirst()))
    case "tokenize": try TokenizerBenchmark.run(Array(words.dropFirst()))
    case "tokens": try TokenizerBenchmark.printTokens(Array(words.dropFirst()))
    case "snippet": try TokenizerBenchmark.runSnippet(Array(words.dropFirst()))
    case "conformance": try Conformance.run(Array(words.dropFirst()))
    case "joins": try JoinPrinter.run()
    case "histories": try HistoryFuzz.run(Array(words.dropFirst()))
    case "merge": try MergeBenchmark.run(Array(words.dropFirst()))
    case "exchange": try ExchangeBenchmark.run(Array(words.dropFirst()))
    case "import": try ImportBenchmark.run(Array(words.dropFirst()))
    case "pages": try PageBenchmark.run(Array(words.dropFirst()))
    case "read": try ReadingBenchmark.run(Array(words.dropFirst()))
    case "growth": try ParserGrowth.run(Array(words.dropFirst()))
    case "confinement": try ConfinementBenchmark.run(Array(words.dropFirst()))
    case "urls": try URLBenchmark.run(Array(words.dropFirst()))
    default:
        print(
            """
            Usage: sbfs-bench library [--sbfs PATH] [--folder DIR] [--items N] [--runs N]
                   sbfs-bench library sync [--folder DIR]
                   sbfs-bench search index --corpus FILE --index DIR [--threads N]
                   sbfs-bench search serve --index DIR [--parts yes]
                   sbfs-bench search commit|build|state|increment|watch --index DIR …
                   sbfs-bench tokenize FILE [--runs N] [--extra no]
                   sbfs-bench tokens [--extra yes] < FILE
                   sbfs-bench snippet FILE --word WORDS [--runs N]
                   sbfs-bench conformance DIR
                   sbfs-bench joins < FILE
                   sbfs-bench histories [--cases N] [--seed N]
                   sbfs-bench import [--sbfs PATH] [--folder DIR] [--items N] [--runs N]
                   sbfs-bench merge [--sbfs PATH] [--folder DIR] [--items N]
                   sbfs-bench exchange [--sbfs PATH] [--folder DIR] [--items N] [--pages DIR] [--edits N]
                   sbfs-bench growth [--size N] [--runs N] [--limit N]
                   sbfs-bench urls [--runs N]
                   sbfs-bench confinement [--runs N]
                   sbfs-bench pages DIR [--runs N] [--limit N]
                   sbfs-bench watch [OPTION…]
                   sbfs-bench watch look --index DIR
                   sbfs-bench watch ask --library DIR --query WORD [--sbfs PATH] [--runs N]
                   sbfs-bench watch view --library DIR [--runs N]
                   sbfs-bench read features | articles [--model FILE]

            "library" times whole processes of sbfs on a library of 10 and of N (100,000) items: median of the runs,
            warm cache. "library sync" compares ways of making many new items durable. DIR must lie on the disk that is
            meant, not in memory, and is emptied of what was made there. "search index" makes an index of
            documents in JSON lines, "search serve" answers queries in JSON lines; the others
            are small changes and looks for tests of faults. "tokenize" gives the speed of cutting FILE
            into tokens; "tokens" prints the tokens of each line; "snippet" gives the snippet of FILE for some words, and its time.
            "conformance" runs the published test data of the web's standards in DIR; "joins" prints what each
            set of versions is joined to; "histories" joins N (10,000) random histories, and fails if an edit is lost, or one that
            was replaced comes back; "merge" times joining two copies of N (5,000) items that were edited in both;
            "exchange" times syncs of N (10,000) saved pages, made or those in DIR (*.html), beside tar with zstd, restic and borg, and two daemons; "import"
            times parsing N (50,000) bookmarks, and processes that take them over; "urls" times parsing and resolving;
            "confinement" times the start of a process with few rights;
            "growth" fails if a parser takes more than 2.8 times as long for twice the input;
            "pages" times what is read of the pages (*.html) in DIR: tokens, visible text and articles; "read" gives
            Scripts/train-reader the features of a page's blocks, or its article by a model that is not the program's.
            "watch" prints all figures of the daemon: it runs Scripts/watch-benchmark, which has its own --help. "watch look" tells
            when the index has a word, "watch ask" times sbfs search, "watch view" times a view after one change.
            """)
        exit(words.isEmpty || words.first == "--help" ? 0 : 2)
    }
} catch {
    print("sbfs-bench: \(error)")
    exit(1)
}
