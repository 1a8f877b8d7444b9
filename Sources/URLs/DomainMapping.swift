/// The mapping of a scalar in a domain name: UTS 46, section 5.
enum DomainMapping {
    enum Status: Equatable {
        case valid, ignored, disallowed
        /// UTF-8 at this offset of the pool.
        case mapped(start: Int, count: Int)
    }

    static func status(of scalar: UInt32) -> Status {
        let records = DomainMappingTable.records.utf8Start
        func first(_ record: Int) -> UInt32 {
            let at = records + record * 7
            return UInt32(at[0]) << 14 | UInt32(at[1]) << 7 | UInt32(at[2])
        }
        // The last record that does not start above the scalar.
        var (low, high) = (0, DomainMappingTable.recordCount)
        while high - low > 1 {
            let middle = (low + high) / 2
            if first(middle) <= scalar { low = middle } else { high = middle }
        }
        let at = records + low * 7
        switch at[6] {
        case 127: return .valid
        case 126: return .disallowed
        case 0: return .ignored
        case let count: return .mapped(start: Int(at[3]) << 14 | Int(at[4]) << 7 | Int(at[5]), count: Int(count))
        }
    }

    static func mapping(start: Int, count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: DomainMappingTable.pool.utf8Start + start, count: count)
    }
}
