/// The first line of a CSV file, with the names of its columns.
enum CSVHeader {
    /// - Parameter head: the first bytes of the file.
    /// - Returns: the names without surrounding white space; `nil` if there is no line.
    static func fields(_ head: [UInt8], separator: UInt8) -> [String]? {
        guard var reader = try? CSVReader(ImportInput(Array(head.prefix(65_536))), separator: separator),
            let record = try? reader.next(), record.fault == nil
        else { return nil }
        return record.fields.map(ImportText.trimmed)
    }
}
