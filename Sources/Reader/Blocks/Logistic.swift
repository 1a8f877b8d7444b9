internal import Glibc

/// Functions on probabilities.
enum Logistic {
    static func power(_ base: Float, _ exponent: Float) -> Float { pow(base, exponent) }

    /// The probability that a sum of evidence stands for.
    static func of(_ sum: Float) -> Float { 1 / (1 + exp(-sum)) }
}
