internal import Files

/// One step of the journal, read record by record. Reading stops at the first torn record.
public struct StepReader: ~Copyable, Sendable {
    /// The step's number in the journal.
    package let number: Int
    /// The step's header.
    package let header: StepHeader
    let file: StepFile
    private let firstFrame: Int
    /// Bytes read ahead, and where in the file they begin.
    private var window: [UInt8] = []
    private var windowStart = 0
    private static let windowByteCount = 1 << 16

    /// - Returns: `nil` if there is no such step, or this version does not know its header.
    package init?(_ number: Int, in folder: JournalFolder) throws(ItemError) {
        let name = JournalFormat.name(number)
        let opened = try files { () throws(FileError) -> Descriptor? in
            do throws(FileError) {
                return try folder.directory.file(name)
            } catch let error where error.isAbsent || error.isEscape || error.isNoFile {
                // A folder, FIFO or link with a step's name is no step.
                return nil
            }
        }
        guard let opened else { return nil }
        let start = try files { () throws(FileError) in
            try opened.read(at: 0, count: JournalFormat.headerByteLimit)
        }
        guard let end = start.firstIndex(of: 0x0A), let header = StepHeader(line: Array(start[..<end])) else {
            return nil
        }
        self.number = number
        self.header = header
        file = StepFile(opened)
        firstFrame = end + 1
        window = start
    }

    /// Whether the command that makes the step is still running.
    package var isRunning: Bool { file.descriptor.isLocked }

    /// A record, its number, and the place of its further bytes.
    public struct Entry: Sendable {
        /// The record's place among those of the step, counted from 0.
        package let number: Int
        /// The record.
        public let record: JournalRecord
        let further: Range<Int>
    }

    /// Calls `body` for every whole record, in order. Skips records that this version does not know.
    ///
    /// - Throws: The error of `body`; `ItemError.file` if the journal cannot be read.
    public mutating func forEach(_ body: (Entry) throws(ItemError) -> Void) throws(ItemError) {
        var place = firstFrame
        var number = 0
        while let frame = try files({ () throws(FileError) in try frame(at: place) }) {
            if let record = JournalRecord(json: frame.json) {
                try body(Entry(number: number, record: record, further: frame.further))
            }
            place = frame.further.upperBound
            number += 1
        }
    }

    /// How the command ended, or `nil` if it did not finish.
    package mutating func end() throws(ItemError) -> StepEnd? {
        let byteCount = try files { () throws(FileError) in try file.descriptor.status().byteCount }
        // The last record is short, so its frame begins within these bytes.
        let start = max(firstFrame, byteCount - 512)
        let tail = try files { () throws(FileError) in try file.descriptor.read(at: start, count: byteCount - start) }
        guard tail.last == 0x0A else { return nil }
        // The bytes that the record before it keeps may end without a line feed, so the frame is found from its end.
        let lines = tail.dropLast()
        let json = lines[((lines.lastIndex(of: 0x0A) ?? lines.startIndex - 1) + 1)...]
        guard tail.reversed().starts(with: JournalFormat.frame(json: Array(json), further: []).reversed()),
            case .end(let end)? = JournalRecord(json: Array(json))
        else { return nil }
        return end
    }

    /// A frame whose bytes match its hash.
    private mutating func frame(at place: Int) throws(FileError) -> (json: [UInt8], further: Range<Int>)? {
        let start = try bytes(at: place, count: JournalFormat.frameLineLimit)
        guard let end = start.firstIndex(of: 0x0A), let parts = JournalFormat.parse(line: start[..<end]) else {
            return nil
        }
        let jsonStart = place + (end - start.startIndex) + 1
        let (furtherStart, isTooFar) = jsonStart.addingReportingOverflow(parts.jsonByteCount)
        if isTooFar || parts.jsonByteCount > JournalRecord.jsonLimits.byteCount { return nil }
        let (furtherEnd, isFarther) = furtherStart.addingReportingOverflow(parts.furtherByteCount)
        let limit = 2 * max(Layout.textByteLimit, Layout.settingsByteLimit)
        if isFarther || parts.furtherByteCount > limit { return nil }
        let json = Array(try bytes(at: jsonStart, count: parts.jsonByteCount))
        guard json.count == parts.jsonByteCount else { return nil }
        let further = Array(try bytes(at: furtherStart, count: parts.furtherByteCount))
        guard further.count == parts.furtherByteCount, JournalFormat.hash(json, further) == parts.hash else {
            return nil
        }
        return (json, furtherStart..<furtherEnd)
    }

    /// Bytes of the file from the window; fewer only at its end.
    private mutating func bytes(at place: Int, count: Int) throws(FileError) -> ArraySlice<UInt8> {
        if place < windowStart || place + count > windowStart + window.count {
            // Long ranges are read directly and not kept.
            if count > Self.windowByteCount { return try file.descriptor.read(at: place, count: count)[...] }
            window = try file.descriptor.read(at: place, count: Self.windowByteCount)
            windowStart = place
        }
        let offset = place - windowStart
        return window[min(offset, window.count)..<min(offset + count, window.count)]
    }
}

/// The open file of a step, for reading kept bytes later, from any thread.
public final class StepFile: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// The bytes that a record keeps; `nil` if it keeps none or they are damaged.
    ///
    /// - Throws: `ItemError.file` if the journal cannot be read.
    public func contents(
        of entry: StepReader.Entry
    ) throws(ItemError) -> (old: [UInt8]?, new: [UInt8]?) {
        guard case .bytes(_, let old, let new) = entry.record else { return (nil, nil) }
        let all = try files { () throws(FileError) in
            try descriptor.read(at: entry.further.lowerBound, count: entry.further.count)
        }
        let oldByteCount = old?.byteCount ?? 0
        guard all.count == entry.further.count, oldByteCount <= all.count else { return (nil, nil) }
        let first = old == nil ? nil : Array(all[..<oldByteCount])
        let rest = new == nil || all.count - oldByteCount != new?.byteCount ? nil : Array(all[oldByteCount...])
        return (first, rest)
    }
}
