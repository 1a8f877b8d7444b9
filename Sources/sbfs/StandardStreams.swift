import Glibc

/// The three descriptors with which a program starts.
enum StandardStreams {
    /// Opens those that are closed, so that no file of the library gets the number of one: what is printed would be written
    /// into it. Reading such an input, and writing to such an output, fails as for a closed one.
    static func keepOpen() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
            let file = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
            if file >= 0, file != number { close(file) }
        }
    }
}
