/// The candidates of one part of the index.
final class CandidateBox {
    var candidates = Candidates()
}
