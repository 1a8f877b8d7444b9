import Items
import Testing

@testable import StuffBucket

/// What the marks of a file say of it and of that of another device. Documentation/Exchange.md § 7.
struct OwnFilePastTests {
    private func hash(_ number: Int) -> Items.ContentHash { Items.ContentHash(of: Array("\(number)".utf8)) }

    /// A file that had some contents, one after the other; 0 where it was not there.
    private func past(_ contents: Int..., at time: Int64 = 1) -> OwnFilePast {
        contents.dropFirst().reduce(OwnFilePast(hash(contents[0]))) { past, content in
            past.changed(to: content == 0 ? nil : hash(content), modified: time)
        }
    }

    @Test func `that which goes on from the other one is later`() {
        for later in [past(1, 2), past(1, 0), past(1, 0, 2), past(1, 2, 3, 4)] {
            #expect(past(1).order(to: later) == .earlier && later.order(to: past(1)) == .later)
        }
        #expect(past(1, 2).order(to: past(1, 2, 1)) == .earlier && past(1, 2, 1).order(to: past(1, 2)) == .later)
        #expect(past(1, 0).order(to: past(1, 0, 1)) == .earlier)
        #expect(OwnFilePast.never.order(to: past(1)) == .earlier && past(1).order(to: .never) == .later)
    }

    @Test func `a file that has again what it had is no earlier one`() {
        #expect(past(1, 2, 1).order(to: past(1, 2, 3)) == .apart)
        #expect(past(1, 2, 1).order(to: past(1, 2, 0)) == .apart)
        #expect(past(1, 0, 1).order(to: past(1, 0, 1, 0, at: 2)) == .apart)
        #expect(past(2).order(to: past(1, 2)) == .same && past(2).order(to: past(1, 2, 3)) == .apart)
    }

    @Test func `neither of two that were changed is earlier`() {
        for (one, two) in [
            (past(1), past(2)), (past(1, 2), past(1, 3)), (past(1, 2), past(1, 0)), (past(1), past(2, 0)),
        ] {
            #expect(one.order(to: two) == .apart && two.order(to: one) == .apart)
        }
    }

    @Test func `what stands after a meeting comes from both`() {
        let (one, two) = (past(1, 2), past(1, 3))
        let joined = one.standing(over: two)
        #expect(one.order(to: joined) == .same && two.order(to: joined) == .earlier)
        #expect(one.isKnownIn(joined) && !joined.isKnownIn(one))
        let next = joined.changed(to: hash(4), modified: 1)
        #expect(one.order(to: next) == .earlier && two.order(to: next) == .earlier)
        #expect(one.changed(to: nil, modified: 0).order(to: next) == .apart)
    }

    @Test func `the same bytes that two devices made are both made`() {
        let (one, two) = (past(1, 0, 1, at: 2), past(1, 0, 1, at: 3))
        let joined = one.joined(with: two)
        #expect(joined == two.joined(with: one))
        #expect(joined.order(to: one.changed(to: nil, modified: 0)) == .apart)
        #expect(joined.order(to: two.changed(to: nil, modified: 0)) == .apart)
        #expect(joined.order(to: joined.changed(to: nil, modified: 0)) == .earlier)
        #expect(past(2).joined(with: past(2, 1, 2)) == past(2, 1, 2))
    }

    @Test func `of a long past the latest changes count`() {
        var past = past(1)
        var all = [past]
        for number in 2...(OwnFilePast.limit + 10) {
            past = past.changed(to: hash(number), modified: 1)
            all.append(past)
        }
        #expect(past.marks.count == OwnFilePast.limit)
        #expect(all[0].order(to: past) == .apart)
        #expect(all[20].order(to: past) == .earlier && past.order(to: all[20]) == .later)
        #expect(all[20].changed(to: nil, modified: 0).order(to: past) == .apart)
    }

    @Test func `a mark is written in 16 digits and read again`() throws {
        let mark = OwnFilePast.Mark(hash(1))
        #expect(mark.hex == String(hash(1).hex.prefix(16)) && OwnFilePast.Mark(hex: mark.hex) == mark)
        for wrong in ["", "0", mark.hex + "0", "-" + mark.hex.dropFirst(), String(repeating: "x", count: 16)] {
            #expect(OwnFilePast.Mark(hex: wrong) == nil, "\(wrong)")
        }
    }
}

extension OwnFilePast {
    fileprivate func isKnownIn(_ other: Self) -> Bool { marks.allSatisfy(other.marks.contains) }
}
