internal import Files

/// What permissions refuse of one file or folder: others can be read and written.
extension ItemError {
    /// Whether the permissions of one file or folder are at fault, so that others can be read and written.
    package var isDenied: Bool {
        if case .file(let error) = self { error.isDenied } else { false }
    }

    /// Does what concerns one file or folder of several.
    ///
    /// - Returns: the error, if permissions refused it; the others can be gone on with.
    package static func denial(_ body: () throws -> Void) throws -> ItemError? {
        do {
            try body()
            return nil
        } catch let error as ItemError where error.isDenied {
            return error
        } catch let error as FileError where error.isDenied {
            return .file(error)
        }
    }
}
