internal import Glibc

/// A detached thread.
enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Returns: false if the system cannot start another thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // The resolver needs less than 256 KiB. Hundreds of threads must not reserve 8 MiB each.
        pthread_attr_setstacksize(&attributes, 512 << 10)
        let held = Unmanaged.passRetained(Body(body))
        var handle = pthread_t()
        let status = pthread_create(
            &handle, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, held.toOpaque())
        if status != 0 { held.release() }
        return status == 0
    }
}
