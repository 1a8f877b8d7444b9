public import Items
public import JSONFormat

/// Changes of the files of tags, collections and smart folders, and of the library's settings.
extension Step {
    /// Sets keys in the file of a name, or makes the file; all other keys stay.
    ///
    /// - Parameters:
    ///   - values: the new value of a key, or `nil` to remove it.
    ///   - name: the name of the tag, collection or smart folder.
    ///   - folder: collections/, tags/ or smart/.
    /// - Returns: whether anything was written.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    @discardableResult
    public func setNamed(
        _ folder: NamedFolder, _ name: String, _ values: [(String, JSON?)]
    ) throws(ItemError) -> Bool {
        try session.setNamed(folder, name, values)
    }

    /// Makes a name's file.
    ///
    /// - Parameters:
    ///   - folder: collections/, tags/ or smart/.
    ///   - name: what the file is about.
    ///   - values: keys of the new file; `name` is written without being one of them.
    /// - Throws: `ItemError.refused` with `Refusal.taken` if there is one already.
    public func addNamed(
        _ folder: NamedFolder, _ name: String, _ values: [(String, JSON?)] = []
    ) throws(ItemError) {
        try session.setNamed(folder, name, values, isNew: true)
    }

    /// Copies the contents of a name's file to another name; keys that the other file already has stay.
    ///
    /// - Returns: the file that was read, for `removeNamed`; `nil` if there is none.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func copyNamed(
        _ folder: NamedFolder, _ old: String, to new: String
    ) throws(ItemError) -> NamedCopy? {
        try session.copyNamed(folder, old, to: new)
    }

    /// Removes a file if it still is as read.
    ///
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func removeNamed(_ copy: NamedCopy) throws(ItemError) { try session.removeNamed(copy) }

    /// Removes the file of a name.
    ///
    /// - Returns: false if there is none.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    @discardableResult
    public func removeNamed(_ folder: NamedFolder, _ name: String) throws(ItemError) -> Bool {
        try session.removeNamed(folder, name)
    }

    /// Removes the file of a name if it holds only the name and one key.
    ///
    /// - Returns: whether it was removed.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func removeNamed(_ folder: NamedFolder, _ name: String, ifOnly key: String) throws(ItemError) -> Bool {
        try session.removeNamed(folder, name, ifOnly: key)
    }

    /// Changes settings of the library.
    ///
    /// - Parameter values: the new value of a setting, or `nil` for its default.
    /// - Throws: `ItemError`, for example `locked` if another program writes, and `file` if the disk is full.
    public func set(_ values: [(LibraryFile.Setting, JSON?)]) throws(ItemError) { try session.change(values) }
}
