/// Why there is no answer. The message of each case says what to do.
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
    package var description: String {
        switch self {
        case .refusedAddress(let target, let address, let refusal):
            Self.refusalSentence(target, address, refusal)
        case .badScheme(let scheme):
            "only http and https pages are fetched, not \(scheme): addresses"
        case .noSuchHost(let host):
            "there is no host \(host); check the spelling"
        case .nameLookup(let host):
            "the name \(host) could not be looked up; check the connection and try again"
        case .connect(let target, let words):
            "no connection to \(target) (\(words)); the server may be down, try again later"
        case .tls(let target, .certificate, let words):
            "the certificate of \(target) is not to be trusted (\(words)); nothing was fetched. If it is your own server,"
                + " add its authority to this machine's certificates"
        case .tls(let target, .handshake, let words):
            "no secure connection to \(target) (\(words)); the server may speak only http there"
        case .tls(_, .authorities, let words):
            "this machine's list of certificate authorities cannot be read (\(words));"
                + " install the package ca-certificates or set SSL_CERT_FILE"
        case .timeout(.connecting, let seconds):
            "no connection within \(Self.spell(seconds)); the server may be down, try again later"
        case .timeout(.answer, let seconds):
            "no whole answer within \(Self.spell(seconds)); try again later"
        case .timeout(.stalled, let seconds):
            "the answer came to a standstill for \(Self.spell(seconds)); try again later"
        case .timeout(.capture, let seconds):
            "the time for the whole capture was over after \(Self.spell(seconds)); try again with more time"
        case .tooLarge(.asset, let byteCount):
            "it is larger than the limit of \(byteCount) bytes for one file"
        case .tooLarge(.page, let byteCount):
            "the page and its files are larger than the limit of \(byteCount) bytes"
        case .tooLarge(.header, let byteCount):
            "the server sent more than \(byteCount) bytes of header fields"
        case .tooManyRedirects(let limit):
            "the server redirected more than \(limit) times; open it in a browser to see where it leads"
        case .redirectLoop(let url):
            "the server redirects in a circle by way of \(url); it may want cookies"
        case .incomplete(let received, .some(let expected)):
            "the answer broke off after \(received) of \(expected) bytes; try again"
        case .incomplete(let received, nil):
            "the answer broke off after \(received) bytes; try again"
        case .malformedAnswer(let words):
            "the server's answer is no HTTP (\(words))"
        case .proxy(let words):
            "the proxy does not work (\(words)); check http_proxy and https_proxy"
        case .local(let words):
            "fetching failed on this machine (\(words))"
        }
    }

    private static func refusalSentence(_ target: HostPort, _ address: String, _ refusal: AddressRefusal) -> String {
        let place = address.isEmpty || address == target.host ? "\(target)" : "\(target) (\(address))"
        let way = "; if you mean it, allow \(target)"
        return switch refusal {
        case .scope(let scope):
            "\(place) was not contacted: the address is for \(scope.rawValue), not on the public network\(way)"
        case .rebinding(let scope):
            "\(place) was not contacted: the name had a public address before and now has one for \(scope.rawValue)\(way)"
        case .port:
            "\(place) was not contacted: port \(target.port) belongs to another service than the web\(way)"
        case .unreadable:
            "\(place) was not contacted: its address cannot be read"
        }
    }

    private static func spell(_ seconds: Double) -> String {
        let tenths = (max(0, min(seconds, 1e9)) * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
    }
}
