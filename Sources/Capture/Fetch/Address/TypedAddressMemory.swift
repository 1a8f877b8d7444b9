internal import CConfinement
internal import Glibc

/// Whether the name that was typed has led to a public address, so that it cannot come to mean a private one.
///
/// Shared with the processes that are made after it: fetcher and gate of one capture see the same name.
package final class TypedAddressMemory: @unchecked Sendable {
    // One byte that only ever goes from 0 to 1 within a capture; nothing else is read by it.
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
