import StuffBucket

/// Makes text from a library safe to print. Everything that this program prints uses it.
///
/// Standard output and standard error get text from a library, a file or the command line only through it, on a
/// terminal and in a pipe. The exceptions are bytes that another program needs: the output of "export", and the paths
/// that "path" and "open --print" write into a pipe.
typealias Printable = Characters.Printable
