package import Items
internal import Search

/// What one piece of care for the index did.
package enum IndexCare: Sendable {
    /// No merge is worthwhile.
    case nothing
    /// Segments were merged, and no further merge is worthwhile now.
    case merged
    /// Segments were merged, and a further merge is worthwhile.
    case more
    /// Another program, or another thread of this one, changes the index, or the monitor was cancelled. Try again later.
    case busy
}

extension Library {
    /// Merges segments of the index if that makes searching faster. For idle times: it may read and write the whole
    /// index, with the other calls of this library unhindered. An update of the index by this program ends the merge early.
    ///
    /// - Parameter monitor: cancels; the index stays as it is.
    /// - Throws: `FileError`, for example when the disk is full; the index stays as it is. A damaged index is no error
    ///   here: the next query reports and rebuilds it.
    package func careForIndex(_ monitor: Monitor = Monitor()) throws -> IndexCare {
        do {
            return try index?.tidy(monitor) ?? .nothing
        } catch is IndexDamage {
            return .nothing
        }
    }
}
