/// A maximal run of characters of scripts without spaces, or of other characters, in a folded token.
/// SearchIndex.md § I1.4.
struct ScriptRun: Equatable {
    private(set) var bytes: [UInt8]
    let isUnspaced: Bool

    init(bytes: [UInt8], isUnspaced: Bool) {
        self.bytes = bytes
        self.isUnspaced = isUnspaced
    }

    /// The runs of a token in their order.
    static func runs(of token: [UInt8]) -> [ScriptRun] {
        var runs: [ScriptRun] = []
        token.withUnsafeBufferPointer { token in
            var at = 0
            while at < token.count {
                let scalar = UTF8Scalar(token, at: at)
                let bytes = token[at..<at + scalar.count]
                let isUnspaced = scalar.entry.isUnspaced
                if runs.last?.isUnspaced == isUnspaced {
                    runs[runs.count - 1].bytes += bytes
                } else {
                    runs.append(ScriptRun(bytes: Array(bytes), isUnspaced: isUnspaced))
                }
                at += scalar.count
            }
        }
        return runs
    }
}
