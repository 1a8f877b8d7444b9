internal import CConfinement
internal import Glibc

/// A seccomp filter: allows only the calls that a profile needs.
///
/// Other calls are refused with EPERM. Calls newer than the list, and clone3, are refused with ENOSYS, so that the C
/// library uses the older call. A call of another architecture ends the process. Classic BPF on `struct
/// seccomp_data`: number at byte 0, architecture at 4, arguments of eight bytes from 16 on
/// (Documentation/userspace-api/seccomp_filter.rst).
struct SystemCallFilter {
    private let profile: Confinement.Profile

    init(_ profile: Confinement.Profile) { self.profile = profile }

    func apply() -> ConfinementPart {
        let instructions = program
        let result = instructions.withUnsafeBufferPointer {
            cconfinement_seccomp($0.baseAddress, UInt16($0.count))
        }
        let what = "\(SystemCalls.allowed(profile).count) system calls"
        return ConfinementPart("seccomp", result == 0 ? .inForce(what) : .missing(errno))
    }

    // MARK: The program

    private enum Action {
        static let allow: UInt32 = 0x7FFF_0000
        static let kill: UInt32 = 0x8000_0000
        static func refuse(_ number: Int32) -> UInt32 { 0x0005_0000 | UInt32(number) }
    }

    private enum Code {
        static let load: UInt16 = 0x20
        static let jumpEqual: UInt16 = 0x15
        static let jumpGreaterOrEqual: UInt16 = 0x35
        static let jumpSet: UInt16 = 0x45
        static let answer: UInt16 = 0x06
    }

    #if arch(x86_64)
        private static let architecture: UInt32 = 0xC000_003E
    #elseif arch(arm64)
        private static let architecture: UInt32 = 0xC000_00B7
    #else
        #error("the numbers of system calls of this architecture are not known here")
    #endif

    private var program: [cconfinement_instruction] {
        var list: [cconfinement_instruction] = [
            Self.load(4), Self.jump(Code.jumpEqual, Self.architecture, 1, 0), Self.answer(Action.kill), Self.load(0),
            // The filter cannot inspect the flags of clone3, which are in memory.
            Self.jump(Code.jumpEqual, SystemCalls.clone3, 0, 1), Self.answer(Action.refuse(ENOSYS)),
        ]
        for call in SystemCalls.allowed(profile) {
            let check = call.check.map { Self.instructions($0) } ?? []
            list.append(Self.jump(Code.jumpEqual, UInt32(call.number), 0, UInt8(check.count + 1)))
            list += check
            list.append(Self.answer(Action.allow))
        }
        list += [
            // Also excludes the second set of numbers of x86-64 (x32), which starts at 2^30.
            Self.jump(Code.jumpGreaterOrEqual, SystemCalls.firstUnknown, 0, 1), Self.answer(Action.refuse(ENOSYS)),
            Self.answer(Action.refuse(EPERM)),
        ]
        return list
    }

    /// Continues if the arguments are allowed, else refuses.
    private static func instructions(_ check: SystemCalls.Check) -> [cconfinement_instruction] {
        switch check {
        case .has(let argument, let bits):
            [load(16 + 8 * argument), jump(Code.jumpSet, bits, 1, 0), answer(Action.refuse(EPERM))]
        case .lacks(let argument, let bits):
            [load(16 + 8 * argument), jump(Code.jumpSet, bits, 0, 1), answer(Action.refuse(EPERM))]
        case .isNull(let argument):
            [load(16 + 8 * argument), jump(Code.jumpEqual, 0, 0, 2), load(20 + 8 * argument)]
                + [jump(Code.jumpEqual, 0, 1, 0), answer(Action.refuse(EPERM))]
        case .isOne(let argument, let values, let refusal):
            [load(16 + 8 * argument)]
                + values.enumerated().map { index, value in
                    jump(Code.jumpEqual, value, UInt8(values.count - index), 0)
                } + [answer(Action.refuse(refusal))]
        }
    }

    private static func load(_ offset: Int) -> cconfinement_instruction {
        cconfinement_instruction(code: Code.load, jt: 0, jf: 0, k: UInt32(offset))
    }

    private static func jump(_ code: UInt16, _ value: UInt32, _ yes: UInt8, _ no: UInt8) -> cconfinement_instruction {
        cconfinement_instruction(code: code, jt: yes, jf: no, k: value)
    }

    private static func answer(_ action: UInt32) -> cconfinement_instruction {
        cconfinement_instruction(code: Code.answer, jt: 0, jf: 0, k: action)
    }
}
