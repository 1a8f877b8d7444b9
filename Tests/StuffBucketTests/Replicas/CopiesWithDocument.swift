/// Two copies of a library whose item has the document plan.txt, "Plan 0."; both looked at it.
struct CopiesWithDocument: TwoCopies {
    let a: Replica, b: Replica

    init() throws {
        a = try Replica(isAsWritten: true)
        b = try Replica(copyOf: a)
        try attach("Plan 0.", to: a)
        try meetAll()
    }
}
