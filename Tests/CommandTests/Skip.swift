import TestSupport
import Testing

/// Ends a test, or one case of it, that needs programs which are not installed, and says so. If every test must run,
/// the test continues and fails.
///
/// A trait skips a whole test. The framework does not report a cancelled case, hence the warning.
func skipWithout(_ programs: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    guard !Machine.runs(programs) else { return }
    let reason = "skipped: not installed: \(Machine.missing(programs).joined(separator: ", "))"
    Issue.record(Comment(rawValue: reason), severity: .warning, sourceLocation: sourceLocation)
    try Test.cancel(Comment(rawValue: reason), sourceLocation: sourceLocation)
}
