public import Items
public import JSONFormat

/// Changes of what the library knows of tags, collections and smart folders, and of its settings.
extension Step {
    /// Sets keys of a name's file, or makes the file; all other keys stay.
    ///
    /// - Parameters:
    ///   - values: the new value of a key, or `nil` to remove it.
    ///   - isNew: whether a file that is there already is an error.
    ///   - name: as a person calls it.
    ///   - folder: collections/, tags/ or smart/.
    /// - Returns: whether anything had to be written.
    @discardableResult
    public func setNamed(
        _ folder: NamedFolder, _ name: String, _ values: [(String, JSON?)], isNew: Bool = false
    ) throws(ItemError) -> Bool {
        try session.setNamed(folder, name, values, isNew: isNew)
    }

    /// Gives a name's file to another name as well; what that one's file says already stays.
    ///
    /// - Returns: the file that was read, for `removeNamed`; `nil` if there is none.
    public func copyNamed(
        _ folder: NamedFolder, _ old: String, to new: String
    ) throws(ItemError) -> NamedCopy? {
        try session.copyNamed(folder, old, to: new)
    }

    /// Removes a file that still is as it was read.
    public func removeNamed(_ copy: NamedCopy) throws(ItemError) { try session.removeNamed(copy) }

    /// Removes a name's file.
    ///
    /// - Returns: false if there is none.
    @discardableResult
    public func removeNamed(_ folder: NamedFolder, _ name: String) throws(ItemError) -> Bool {
        try session.removeNamed(folder, name)
    }

    /// Removes a name's file if it says nothing but its name and one key.
    ///
    /// - Returns: whether it was removed.
    public func removeNamed(_ folder: NamedFolder, _ name: String, ifOnly key: String) throws(ItemError) -> Bool {
        try session.removeNamed(folder, name, ifOnly: key)
    }

    /// Changes settings of the library.
    ///
    /// - Parameter values: the new value of a setting, or `nil` for its default.
    public func set(_ values: [(LibraryFile.Setting, JSON?)]) throws(ItemError) { try session.change(values) }
}
