#ifndef CHASH_H
#define CHASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Adds blocks of 64 bytes to a state of SHA-256 (FIPS 180-4, section 6.2.2) by the processor's own instructions.
///
/// Returns false, and changes nothing, on a processor without them.
bool chash_sha256(uint32_t state[8], const uint32_t constants[64], const uint8_t *bytes, size_t blocks);

#endif
