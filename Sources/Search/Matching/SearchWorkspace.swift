/// Working memory of searches, reused from one request to the next and accessible without runtime checks.
struct SearchWorkspace: ~Copyable {
    var reader = ListReader()
    var union = UnionAccumulator()
    var phrase = PhraseMatch()
    var batch = RangeBatch()
}
