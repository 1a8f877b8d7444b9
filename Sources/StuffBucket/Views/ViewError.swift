/// Why a view cannot be made or used.
public enum ViewError: Error, Sendable {
    /// The folder is in a library, or a library is in it.
    case overlapsLibrary(path: String, library: String)
    /// The folder is in another view.
    case insideView(path: String, view: String)
    /// The folder for the view holds other files.
    case notEmpty(path: String, example: String)
    /// The folder holds a view that another machine or another library made.
    case foreign(path: String)
    /// The folder holds a view that is recorded at another place: it is a copy of that view.
    case copied(path: String, of: String)
    /// The folder is a view already, with another profile or mode.
    case differs(path: String, ViewProfile, ViewMode)
    /// The view's folder, or its marker, is gone.
    case missing(path: String)
    /// Another process works on the view.
    case busy(path: String)
    /// The library cannot be written, so it keeps no views.
    case libraryIsReadOnly(path: String)
    /// The library has no such view.
    case noView(String)
    /// The file is no edited copy of a document or a text.
    case notAdoptable(path: String)
}

extension ViewError: CustomStringConvertible {
    /// The error as a sentence for a person, with the path.
    public var description: String {
        switch self {
        case .overlapsLibrary(let path, let library):
            "\(path) and the library \(library) are one within the other; choose another folder for the view"
        case .insideView(let path, let view): "\(path) is in the view \(view); choose another folder"
        case .notEmpty(let path, let example):
            "\(path) already holds other files (\(example)); choose another folder, or move them away"
        case .foreign(let path):
            "\(path) is a view that another machine or another library made; choose another folder"
        case .copied(let path, let original):
            "\(path) is a copy of the view \(original); choose another folder, or delete the copy"
        case .differs(let path, let profile, let mode):
            "\(path) is a view already (profile \(profile.rawValue), mode \(mode.rawValue)); remove it first"
        case .missing(let path): "the view \(path) is gone"
        case .busy(let path): "\(path): another program works on this view; try again"
        case .libraryIsReadOnly(let path): "\(path) cannot be written by you, so it keeps no views"
        case .noView(let name): "there is no view \(name)"
        case .notAdoptable(let path): "\(path) is no edited copy of a document or a text in a view"
        }
    }
}
