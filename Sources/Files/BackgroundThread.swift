internal import Glibc

/// A thread for work that blocks, beside the threads of Swift's tasks.
public enum BackgroundThread {
    /// Runs `body` on a new thread.
    ///
    /// - Parameter stackByteCount: the size of its stack, at least 64 KiB; `nil` for the system's usual 8 MiB.
    /// - Throws: `FileError` with EAGAIN if the system has no more threads.
    public static func start(stackByteCount: Int? = nil, _ body: @escaping @Sendable () -> Void) throws(FileError) {
        let box = Body(body)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackByteCount { pthread_attr_setstacksize(&attributes, stackByteCount) }
        var handle = pthread_t()
        let status = pthread_create(
            &handle, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(box).toOpaque())
        if status != 0 {
            Unmanaged.passUnretained(box).release()
            throw FileError(.create, "a thread", .system(status))
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
