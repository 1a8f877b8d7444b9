import StuffBucket

/// What makes text from a library fit to be printed, for all that this program prints.
///
/// Standard output and standard error get nothing of a library, of a file or of the command line but through it, on a terminal
/// and in a pipe. Exceptions, which are bytes that another program needs: what "export" writes, and the paths that "path" and
/// "open --print" write into a pipe.
typealias Printable = Characters.Printable
