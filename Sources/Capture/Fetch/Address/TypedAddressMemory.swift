internal import CConfinement
internal import Glibc

/// Whether the typed name has had a public address, so that it must not get a private one.
///
/// Shared with processes that are made later: fetcher and gate of one capture see the same value.
package final class TypedAddressMemory: @unchecked Sendable {
    // One byte that only changes from 0 to 1 within a capture; no other memory depends on it.
    private let byte: UnsafeMutablePointer<UInt8>
    private let isShared: Bool

    package init() {
        if let page = cconfinement_shared_page() {
            byte = page.assumingMemoryBound(to: UInt8.self)
            isShared = true
        } else {
            byte = .allocate(capacity: 1)
            byte.initialize(to: 0)
            isShared = false
        }
    }

    deinit {
        if isShared { munmap(byte, 4096) } else { byte.deallocate() }
    }

    package var isGlobal: Bool {
        get { byte.pointee != 0 }
        set { byte.pointee = newValue ? 1 : 0 }
    }
}
