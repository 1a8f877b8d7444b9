import Files
import Glibc
import Search

/// Speed and output of the tokenizer.
enum TokenizerBenchmark {
    /// `tokenize FILE [--runs N] [--extra no]`: MB/s (processor time) of the fastest run over the whole file as one
    /// text, and numbers of tokens.
    static func run(_ words: [String]) throws {
        guard let path = words.first else { throw BenchmarkError(description: "tokenize needs a file") }
        let options = try BenchmarkOptions(Array(words.dropFirst()))
        let bytes = try read(path)
        let isPlain = options.text("extra", "yes") == "no"
        var best = Double.infinity
        var count = TokenCount()
        for _ in 0..<max(1, options.number("runs", 5)) {
            count = TokenCount()
            let start = seconds()
            bytes.withUnsafeBufferPointer { isPlain ? count.addPlain($0) : count.add($0) }
            best = min(best, seconds() - start)
        }
        let rate = Int((Double(bytes.count) / 1e6 / best).rounded())
        print(
            "\(bytes.count) bytes, \(rate) MB/s, \(count.plain) plain tokens, \(count.parts) parts, "
                + "\(count.bigrams) bigrams, checksum \(count.checksum)")
    }

    /// `snippet FILE --word W [--runs N]`: the snippet of a file for a word, and the fastest run's milliseconds.
    static func runSnippet(_ words: [String]) throws {
        guard let path = words.first else { throw BenchmarkError(description: "snippet needs a file") }
        let options = try BenchmarkOptions(Array(words.dropFirst()))
        let bytes = try read(path)
        let terms = options.text("word", "the").split(separator: " ").map { HighlightTerm.bare(BareWord($0.utf8)) }
        var best = Double.infinity
        var snippet = Highlighter(terms).snippet(of: bytes)
        for _ in 0..<max(1, options.number("runs", 50)) {
            let start = seconds()
            snippet = Highlighter(terms).snippet(of: bytes)
            best = min(best, seconds() - start)
        }
        print(String(decoding: snippet.text, as: UTF8.self))
        print("\(bytes.count) bytes, \(snippet.marks.count) marks, \(Int(best * 1e6)) µs")
    }

    /// `tokens [--extra yes]`: for each line of standard input its plain tokens, each followed by a tab. On request
    /// then the parts, each as the number of its plain token (from 1), `+` and the bytes, and the bigrams, each as
    /// its index, `~` and the bytes. In the input, `\`, a hexadecimal number and `;` mean a scalar, so that a line
    /// can contain any scalar.
    static func printTokens(_ words: [String]) throws {
        let showsExtra = try BenchmarkOptions(words).text("extra", "no") == "yes"
        var output: [UInt8] = []
        for line in try read("/dev/stdin").split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            let list = TokenList(unescape(line))
            for token in list.plain { output += token + [0x09] }
            if showsExtra {
                for (part, place) in zip(list.parts, list.partPlaces) { output += "\(place)+".utf8 + part + [0x09] }
                for bigram in list.bigrams { output += "\(bigram.index)~".utf8 + bigram.bytes + [0x09] }
            }
            output.append(0x0A)
        }
        var written = 0
        while written < output.count {
            let count = output.withUnsafeBytes {
                write(1, $0.baseAddress.unsafelyUnwrapped + written, $0.count - written)
            }
            if count <= 0 { throw BenchmarkError(description: "cannot write") }
            written += count
        }
    }

    private static func unescape(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var rest = line
        while let byte = rest.popFirst() {
            guard byte == 0x5C, let end = rest.firstIndex(of: 0x3B),
                let value = UInt32(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar)
            else {
                text.append(byte)
                continue
            }
            text += encoded
            rest = rest[(end + 1)...]
        }
        return text
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkError(description: "cannot open \(path)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw BenchmarkError(description: "cannot read \(path)") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
