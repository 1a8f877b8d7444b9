// SHA-256 by the SHA extensions of x86 (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2:
// SHA256RNDS2, SHA256MSG1, SHA256MSG2). Swift has no names for these instructions.
#include "chash.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static bool has_instructions(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    // SSSE3 and SSE4.1.
    if (!(c & 1u << 9) || !(c & 1u << 19)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29);
}

__attribute__((target("sha,ssse3,sse4.1"))) static void add(
    uint32_t state[8], const uint32_t constants[64], const uint8_t *bytes, size_t blocks) {
    // The words of a block are big-endian.
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    // The instructions keep the state as the words ABEF and CDGH, from the highest to the lowest.
    const __m128i dcba = _mm_loadu_si128((const __m128i *)state);
    const __m128i hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
    const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
    const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; blocks > 0; blocks -= 1, bytes += 64) {
        const __m128i first_abef = abef, first_cdgh = cdgh;
        // The last sixteen words of the schedule, four in each.
        __m128i words[4];
        for (int i = 0; i < 4; i++)
            words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), swap);
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            const int now = group & 3;
            __m128i sum = _mm_add_epi32(words[now], _mm_loadu_si128((const __m128i *)(constants + 4 * group)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
            if (group < 12) {
                // W[t] = s1(W[t-2]) + W[t-7] + s0(W[t-15]) + W[t-16], for four t at once.
                const __m128i last = words[(now + 3) & 3];
                const __m128i sevens = _mm_alignr_epi8(last, words[(now + 2) & 3], 4);
                words[now] = _mm_sha256msg2_epu32(
                    _mm_add_epi32(_mm_sha256msg1_epu32(words[now], words[(now + 1) & 3]), sevens), last);
            }
        }
        abef = _mm_add_epi32(abef, first_abef);
        cdgh = _mm_add_epi32(cdgh, first_cdgh);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool chash_sha256(uint32_t state[8], const uint32_t constants[64], const uint8_t *bytes, size_t blocks) {
    // Several threads may ask at once, and get the same answer.
    static _Atomic int answer;
    if (answer == 0) answer = has_instructions() ? 1 : 2;
    if (answer == 2) return false;
    add(state, constants, bytes, blocks);
    return true;
}

#else

bool chash_sha256(uint32_t state[8], const uint32_t constants[64], const uint8_t *bytes, size_t blocks) {
    (void)state;
    (void)constants;
    (void)bytes;
    (void)blocks;
    return false;
}

#endif
