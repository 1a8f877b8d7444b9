import Items
import JSONFormat
import StuffBucket
import Testing

/// Undoing and redoing changes of small files that went to another device: FORMAT.md § 9.2.
struct UndoNamedSyncTests {
    private static let name = "Work"

    private static func colours(_ fleet: Fleet) throws -> [String?] {
        try fleet.devices.map { try $0.library.namedFile(.collections, name)?.colour }
    }

    private static func undo(_ library: Library) throws {
        let step = try #require(try library.history()?.undoable.first?.number)
        #expect(try library.undo([step], StepHeader(command: "undo")).changedCount == 1)
    }

    @Test func `an undone colour does not come back to a collection that had no times`() throws {
        let fleet = try Fleet(2)
        let a = fleet[0].library
        try a.change("new") { try $0.addNamed(.collections, Self.name) }
        try fleet.settle()
        #expect(try a.change("colour") { try $0.setNamed(.collections, Self.name, [("colour", .string("red"))]) })
        try fleet.settle()
        #expect(try Self.colours(fleet) == ["red", "red"])
        try Self.undo(a)
        try fleet.settle()
        #expect(try Self.colours(fleet) == [nil, nil])
        let redoable = try #require(a.history()?.redoable)
        #expect(try a.redo(redoable, StepHeader(command: "redo")).changedCount == 1)
        try fleet.settle()
        #expect(try Self.colours(fleet) == ["red", "red"])
    }

    @Test func `a deletion that is done again stays`() throws {
        let fleet = try Fleet(2)
        let a = fleet[0].library
        try a.change("new") { try $0.addNamed(.collections, Self.name, [("colour", .string("red"))]) }
        try fleet.settle()
        #expect(try a.change("delete") { try $0.removeNamed(.collections, Self.name) })
        try fleet.settle()
        #expect(try Self.colours(fleet) == [nil, nil])
        try Self.undo(a)
        try fleet.settle()
        #expect(try Self.colours(fleet) == ["red", "red"])
        let redoable = try #require(a.history()?.redoable)
        #expect(try a.redo(redoable, StepHeader(command: "redo")).changedCount == 1)
        try fleet.settle()
        #expect(try Self.colours(fleet) == [nil, nil])
        try Self.undo(a)
        try fleet.settle()
        #expect(try Self.colours(fleet) == ["red", "red"])
    }
}
