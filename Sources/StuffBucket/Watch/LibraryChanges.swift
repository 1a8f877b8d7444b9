/// The changes of a library, as they happen: `Library.changes`.
///
/// Iterating begins a watch of the library's files, which all iterations of one `Library` share and which ends with the last one.
/// Each iteration gets the changes from its first call of `next` on. A slow follower misses nothing: several changes of one item
/// that it has not taken become one, and if there are too many, `LibraryChange.everything`.
///
/// The iteration ends when its task is cancelled or `LibraryWatch.stop` is called; it throws `WatchEnd` if the library is gone.
public struct LibraryChanges: AsyncSequence, Sendable {
    /// One change.
    public typealias Element = LibraryChange
    /// `WatchEnd`, or an error of `Library.watch`.
    public typealias Failure = any Error

    let library: Library

    /// An iteration, which gets changes from its first `next` on.
    public struct Iterator: AsyncIteratorProtocol {
        private let library: Library
        private var following: Following?
        private var taken: ArraySlice<LibraryChange> = []

        init(_ library: Library) { self.library = library }

        /// The next change; waits for it.
        ///
        /// - Returns: `nil` when the watch was stopped or the task cancelled.
        /// - Throws: `WatchEnd` when the watch ended by itself, and the errors of `Library.watch`.
        public mutating func next() async throws -> LibraryChange? {
            if following == nil { following = Following(try library.watch()) }
            if taken.isEmpty { taken = try await following?.buffer.take()?[...] ?? [] }
            return taken.popFirst()
        }
    }

    /// Begins an iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(library) }

    /// Keeps the watch alive while somebody follows.
    private final class Following: Sendable {
        let watch: LibraryWatch
        let buffer: ChangeBuffer

        init(_ watch: LibraryWatch) {
            self.watch = watch
            buffer = watch.hub.join()
        }

        deinit { if watch.hub.leave(buffer), watch.endsWithFollowers { watch.stop() } }
    }
}

extension Library {
    /// The changes of this library, by this and all other programs.
    public var changes: LibraryChanges { LibraryChanges(library: self) }
}
