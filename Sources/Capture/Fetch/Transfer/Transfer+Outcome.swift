internal import CCurl
internal import URLs

/// The meaning of the end of a transfer.
extension Transfer {
    /// - Parameters:
    ///   - code: libcurl's result.
    ///   - deadline: of the whole capture, to tell the kinds of time-outs apart.
    func outcome(_ code: CURLcode, deadline: ContinuousClock.Instant) -> Resource.Outcome {
        if code == CURLE_OK || stop == .enough || (isRedirect && headerIsWhole) { return answer(isWhole: true) }
        let mayBeCut = resource.request.acceptsTruncated && headerIsWhole && (!body.isEmpty || stop == .assetLimit)
        if mayBeCut { return answer(isWhole: false) }
        switch stop {
        case .headerLimit: return .failure(.tooLarge(.header, byteCount: limits.headerByteCount))
        case .assetLimit: return .failure(.tooLarge(.asset, byteCount: byteLimit))
        case .pageLimit: return .failure(.tooLarge(.page, byteCount: limits.pageByteCount))
        case .enough, nil: return .failure(failure(code, deadline: deadline))
        }
    }

    /// Whether the answer names a content encoding that HTTP does not define.
    var hasUnknownEncoding: Bool {
        guard headerIsWhole, stop == nil else { return false }
        return fields.all("content-encoding").contains { field in
            field.split(separator: ",").contains { part in
                let name = part.filter { $0 != " " && $0 != "\t" }.lowercased()
                return !["", "identity", "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress"]
                    .contains(name)
            }
        }
    }

    private func answer(isWhole: Bool) -> Resource.Outcome {
        // A header without an answer: only 1xx, or a body without a header.
        guard headerIsWhole else { return .failure(.malformedAnswer("no final header")) }
        return .answer(
            Resource.Answer(
                status: status, fields: fields, body: body, wasTruncated: !isWhole, remoteAddress: remoteAddress))
    }

    private func failure(_ code: CURLcode, deadline: ContinuousClock.Instant) -> FetchFailure {
        let target = resource.url.hostPort
        let words = message(code)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .nameLookup(target.host)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxy(words)
        case CURLE_COULDNT_CONNECT:
            if let refusal { return .refusedAddress(target, address: refusal.address, refusal.why) }
            return isProxied ? .proxy(words) : .connect(target, words)
        case CURLE_OPERATION_TIMEDOUT: return timeout(words, deadline)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .tls(target, .certificate, words)
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE: return .tls(target, .authorities, words)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_CERTPROBLEM:
            return .tls(target, .handshake, words)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            return .incomplete(received: body.count, expected: fields["content-length"].flatMap { Int($0) })
        case CURLE_OUT_OF_MEMORY where hasConnected && !headerIsWhole:
            // libcurl uses this code for a header line above its own limit of 100 KiB.
            return .tooLarge(.header, byteCount: min(102_400, limits.headerByteCount))
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT, CURLE_NOT_BUILT_IN, CURLE_URL_MALFORMAT:
            return .local(words)
        default: return .malformedAnswer(words)
        }
    }

    private func timeout(_ words: String, _ deadline: ContinuousClock.Instant) -> FetchFailure {
        let seconds = elapsedSeconds
        if ContinuousClock.now >= deadline - .milliseconds(2) { return .timeout(.capture, seconds: seconds) }
        if !hasConnected { return .timeout(.connecting, seconds: seconds) }
        // Only the message tells libcurl's two time-outs apart.
        let isStalled = words.hasPrefix("Operation too slow")
        return .timeout(isStalled ? .stalled : .answer, seconds: isStalled ? limits.stallTime.seconds : seconds)
    }
}
