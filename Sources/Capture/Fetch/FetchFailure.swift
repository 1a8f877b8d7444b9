internal import WorkerProtocol

/// Why there is no answer.
package enum FetchFailure: Error, Hashable, Sendable {
    /// The address rule refuses it. `address` is empty if the host was refused before it was resolved.
    case refusedAddress(HostPort, address: String, AddressRefusal)
    /// Only http and https are fetched.
    case badScheme(String)
    /// The name servers report that the host does not exist.
    case noSuchHost(String)
    /// The name could not be resolved now.
    case nameLookup(String)
    /// No connection; libcurl's message.
    case connect(HostPort, String)
    /// The secure connection failed; libcurl's message.
    case tls(HostPort, TLSFault, String)
    /// No answer within the time limit.
    case timeout(TimeoutKind, seconds: Double)
    /// The body exceeds a limit; the number of bytes.
    case tooLarge(SizeLimit, byteCount: Int)
    case tooManyRedirects(limit: Int)
    /// A redirect leads back to an earlier URL of the chain.
    case redirectLoop(String)
    /// The answer was cut off; `expected` is from Content-Length.
    case incomplete(received: Int, expected: Int?)
    /// The server's answer is no valid HTTP; libcurl's message.
    case malformedAnswer(String)
    /// The proxy from the environment does not work; libcurl's message.
    case proxy(String)
    /// An error of this machine: no memory, no descriptors, or a missing feature of libcurl.
    case local(String)

    package enum TLSFault: String, Hashable, Sendable {
        /// The certificate is from an unknown authority, has expired, or is for another name.
        case certificate
        /// No common protocol version, or the other side does not speak TLS.
        case handshake
        /// This machine's list of certificate authorities cannot be read.
        case authorities
    }

    package enum TimeoutKind: String, Hashable, Sendable {
        /// No connection.
        case connecting
        /// The whole answer took too long.
        case answer
        /// Almost no data arrived for a while.
        case stalled
        /// The time for the whole capture is over.
        case capture
    }

    package enum SizeLimit: String, Hashable, Sendable {
        case asset, page, header
    }
}

extension FetchFailure {
    /// Whether the same request may succeed a little later.
    package var isTransient: Bool {
        switch self {
        case .nameLookup, .connect, .timeout, .incomplete: true
        default: false
        }
    }
}

extension FetchFailure: CustomStringConvertible {
    package var description: String { CaptureDetail(self).description }
}

extension CaptureDetail {
    package init(_ failure: FetchFailure) {
        switch failure {
        case .refusedAddress(let target, let address, let refusal):
            let address = address == target.host ? "" : address
            switch refusal {
            case .scope(let scope): self.init(.refusedScope, "\(target)", address, scope.rawValue)
            case .rebinding(let scope): self.init(.refusedRebinding, "\(target)", address, scope.rawValue)
            case .port: self.init(.refusedPort, "\(target)", address)
            case .unreadable: self.init(.refusedUnreadable, "\(target)", address)
            }
        case .badScheme(let scheme): self.init(.badScheme, scheme)
        case .noSuchHost(let host): self.init(.noSuchHost, host)
        case .nameLookup(let host): self.init(.nameLookup, host)
        case .connect(let target, let words): self.init(.connect, "\(target)", words)
        case .tls(let target, .certificate, let words): self.init(.certificate, "\(target)", words)
        case .tls(let target, .handshake, let words): self.init(.handshake, "\(target)", words)
        case .tls(_, .authorities, let words): self.init(.authorities, words)
        case .timeout(.connecting, let seconds): self.init(.connectingTime, Self.spell(seconds))
        case .timeout(.answer, let seconds): self.init(.answerTime, Self.spell(seconds))
        case .timeout(.stalled, let seconds): self.init(.stalledTime, Self.spell(seconds))
        case .timeout(.capture, let seconds): self.init(.captureTime, Self.spell(seconds))
        case .tooLarge(.asset, let byteCount): self.init(.assetSize, String(byteCount))
        case .tooLarge(.page, let byteCount): self.init(.pageSize, String(byteCount))
        case .tooLarge(.header, let byteCount): self.init(.headerSize, String(byteCount))
        case .tooManyRedirects(let limit): self.init(.tooManyRedirects, String(limit))
        case .redirectLoop(let url): self.init(.redirectLoop, url)
        case .incomplete(let received, let expected):
            self.init(.incomplete, values: [received, expected].compactMap { $0.map(String.init) })
        case .malformedAnswer(let words): self.init(.malformedAnswer, words)
        case .proxy(let words): self.init(.proxy, words)
        case .local(let words): self.init(.local, words)
        }
    }

    private static func spell(_ seconds: Double) -> String {
        let tenths = (max(0, min(seconds, 1e9)) * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
    }
}
