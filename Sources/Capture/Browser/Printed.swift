/// Text from a stranger, made safe to print on one line.
enum Printed {
    static func line(_ bytes: some Sequence<UInt8>) -> String {
        String(
            String.UnicodeScalarView(
                String(decoding: Array(bytes), as: UTF8.self).unicodeScalars.map {
                    $0.properties.generalCategory == .control || $0.properties.generalCategory == .format ? "?" : $0
                }))
    }
}
