/// What searching needs from one request to the next, kept where it can be reached without checks.
struct SearchWorkspace: ~Copyable {
    var reader = ListReader()
    var union = UnionAccumulator()
    var phrase = PhraseMatch()
    var batch = RangeBatch()
}
