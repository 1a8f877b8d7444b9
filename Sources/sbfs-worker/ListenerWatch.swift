internal import Glibc

/// Ends this process as soon as nobody reads its answers any more.
///
/// Whoever gave an order may be killed while a slow server is being waited for; nothing else would tell. The browser sees
/// the end of its pipes and ends as well; what is left of its profile is removed by the next start.
enum ListenerWatch {
    static func start() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        pthread_create(
            &thread, &attributes,
            { _ in
                while true {
                    // No event is asked for: only the end of the reading side is told (POLLERR), and never of a file.
                    var output = pollfd(fd: 1, events: 0, revents: 0)
                    let count = poll(&output, 1, -1)
                    if count > 0, output.revents & Int16(POLLERR | POLLHUP) != 0 { _exit(0) }
                    if count > 0 || errno != EINTR { return nil }
                }
            }, nil)
    }
}
