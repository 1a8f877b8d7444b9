/// The changes of a library, as they happen: `Library.changes`.
///
/// Iterating begins a watch of the library's files, which all iterations of one `Library` share and which ends with the last one.
/// Each iteration gets the changes from its making on, so a program that makes one, looks at the library, and then calls `next`
/// misses nothing. A slow follower misses nothing: several changes of one item
/// that it has not taken become one, and if there are too many, `LibraryChange.everything`.
///
/// The iteration ends when its task is cancelled or `LibraryWatch.stop` is called; it throws `WatchEnd` if the library is gone.
public struct LibraryChanges: AsyncSequence, Sendable {
    /// One change.
    public typealias Element = LibraryChange
    /// `WatchEnd`, or an error of `Library.watch`.
    public typealias Failure = any Error

    let library: Library

    /// An iteration, which gets all changes since it was made.
    public struct Iterator: AsyncIteratorProtocol {
        private let following: Result<Following, any Error>
        private var taken: ArraySlice<LibraryChange> = []

        init(_ library: Library) { following = Result { Following(try library.watch()) } }

        /// The next change; waits for it.
        ///
        /// - Returns: `nil` when the watch was stopped or the task cancelled.
        /// - Throws: `WatchEnd` when the watch ended by itself, and the errors of `Library.watch`.
        public mutating func next() async throws -> LibraryChange? {
            let buffer = try following.get().buffer
            if taken.isEmpty { taken = try await buffer.take()?[...] ?? [] }
            return taken.popFirst()
        }
    }

    /// Begins an iteration, and the watch. If the watch cannot begin, the first `next` throws the error.
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
