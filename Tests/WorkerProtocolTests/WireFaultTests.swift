import TestSupport
import Testing
import WorkerProtocol

/// A line that is no message of the protocol gives an error that names the fault.
struct WireFaultTests {
    @Test(arguments: [
        ("", "an order must be a JSON object"), ("[]", "an order must be a JSON object"),
        ("{\"do\":\"read\"", "an order must be a JSON object"), ("{}", "there is no order without a name"),
        ("{\"do\":7}", "there is no order without a name"), ("{\"do\":\"dance\"}", "there is no order dance"),
        ("{\"do\":\"read\"}", "the order read has no \"file\""),
        ("{\"do\":\"read\",\"file\":[]}", "\"file\" of the order read is not a string"),
        ("{\"do\":\"read\",\"file\":null}", "\"file\" of the order read is not a string"),
        (
            "{\"do\":\"read\",\"file\":\"f\",\"width\":\"80\"}",
            "\"width\" of the order read is not a whole number"
        ),
        ("{\"do\":\"read\",\"file\":\"f\",\"width\":8.5}", "\"width\" of the order read is not a whole number"),
        (
            "{\"do\":\"read\",\"file\":\"f\",\"width\":99999999999999999999}",
            "\"width\" of the order read is not a whole number"
        ),
        ("{\"do\":\"read\",\"file\":\"f\",\"whole\":1}", "\"whole\" of the order read is not true or false"),
        ("{\"do\":\"capture\",\"url\":\"u\"}", "the order capture has no \"folder\""),
        (
            "{\"do\":\"capture\",\"url\":\"u\",\"folder\":\"f\",\"allowed\":\"h:1\"}",
            "\"allowed\" of the order capture is not a list of strings"
        ),
        (
            "{\"do\":\"capture\",\"url\":\"u\",\"folder\":\"f\",\"allowed\":[1]}",
            "\"allowed\" of the order capture is not a list of strings"
        ),
        ("{\"do\":\"favicon\",\"folder\":\"f\"}", "the order favicon has no \"url\""),
        ("{\"do\":\"check-links\"}", "the order check-links has no \"urls\""),
        ("{\"do\":\"check-links\",\"urls\":{}}", "\"urls\" of the order check-links is not a list of strings"),
        ("{\"do\":\"identify\"}", "the order identify has no \"file\""),
        ("{\"do\":\"links\",\"url\":\"u\"}", "the order links has no \"file\""),
        ("{\"do\":\"trial\"}", "the order trial has no \"action\""),
    ])
    func `an order`(line: String, says sentence: String) {
        #expect(throws: WireFault(sentence)) { try AnyOrder(line: Array(line.utf8)) }
    }

    @Test(arguments: [
        ("no JSON", "an answer must be a JSON object"),
        ("{}", "an answer has \"result\", \"error\", \"progress\" or \"note\""),
        ("{\"result\":7}", "an answer has \"result\", \"error\", \"progress\" or \"note\""),
        ("{\"result\":{}}", "the answer to links has no \"links\""),
        ("{\"result\":{\"links\":[7]}}", "\"links\" of the answer to links is not a list of objects"),
        ("{\"result\":{\"links\":[{}]}}", "links of the answer to links has no \"url\""),
        ("{\"progress\":{}}", "this order has no progress"),
        ("{\"error\":\"words\"}", "\"error\" of an answer is not a list of strings"),
        ("{\"error\":[\"sleepy\"]}", "\"error\" is no known detail"),
        ("{\"note\":[]}", "\"note\" is no known detail"),
    ])
    func `an answer`(line: String, says sentence: String) {
        #expect(throws: WireFault(sentence)) { try WorkerAnswer<LinksOrder>(line: Array(line.utf8)) }
    }

    @Test(arguments: [
        ("{\"result\":{}}", "the answer to capture has no \"status\""),
        ("{\"result\":{\"status\":\"fine\"}}", "the answer to capture has an unknown \"status\""),
        ("{\"result\":{\"status\":\"failed\",\"kind\":\"x\"}}", "\"kind\" is no known reason"),
        ("{\"progress\":{\"step\":\"sleeping\"}}", "a capture has no such step"),
        ("{\"progress\":{\"step\":\"writing\"}}", "the progress of capture has no \"files\""),
    ])
    func `an answer to a capture`(line: String, says sentence: String) {
        #expect(throws: WireFault(sentence)) { try WorkerAnswer<CaptureOrder>(line: Array(line.utf8)) }
    }

    @Test func `fields that are not known are passed over`() throws {
        let order = try AnyOrder(line: Array("{\"do\":\"identify\",\"file\":\"f\",\"new\":{\"a\":[1]}}".utf8))
        guard case .identify(let there) = order else { throw WireFault("another kind") }
        #expect(there.file == "f")
    }

    /// Damaged lines of every kind: each is read, or gives an error with a sentence.
    @Test func `any line gives a message or a fault`() {
        var random = SeededGenerator.forFuzzing
        let orders: [[UInt8]] =
            SampleOrders.capture.map(\.line) + SampleOrders.favicon.map(\.line) + SampleOrders.linkCheck.map(\.line)
            + SampleOrders.identify.map(\.line) + SampleOrders.read.map(\.line) + SampleOrders.links.map(\.line)
            + SampleOrders.trial.map(\.line)
        let answers: [[UInt8]] =
            SampleAnswers.report.map { WorkerAnswer<CaptureOrder>.result($0).line }
            + SampleAnswers.finding.map { WorkerAnswer<LinkCheckOrder>.progress($0).line }
            + [WorkerAnswer<LinksOrder>.result(SampleAnswers.links).line]
        let pieces = ["\"", "{", "[", "]", "}", ":", ",", "null", "1e999", "\\ud800", "\"do\":\"read\"", "\"result\":"]
            .map {
                Array($0.utf8)
            }
        var read = 0
        var faults = 0
        for number in 0..<FuzzSetting.cases(4000) {
            let samples = number % 2 == 0 ? orders : answers
            let line = random.damaged(samples[number / 2 % samples.count], pieces: pieces)
            do throws(WireFault) {
                if number % 2 == 0 {
                    _ = try AnyOrder(line: line)
                } else {
                    _ = try WorkerAnswer<CaptureOrder>(line: line)
                    _ = try WorkerAnswer<LinkCheckOrder>(line: line)
                    _ = try WorkerAnswer<LinksOrder>(line: line)
                }
                read += 1
            } catch {
                faults += 1
                #expect(!error.description.isEmpty)
            }
        }
        // Both must happen, or nothing was tested.
        #expect(read > 0 && faults > 0)
    }
}
