// Stands in for a function of Swift's runtime in release programs (Scripts/release.ld).
#ifndef STUFFBUCKET_CRUNTIME_SCALAR_NAMES_H
#define STUFFBUCKET_CRUNTIME_SCALAR_NAMES_H

#include <stdint.h>

// The length of a Unicode scalar's name, in bytes, which would be written to `buffer`. Always 0: it has no name.
intptr_t no_scalar_name(uint32_t scalar, uint8_t *buffer, intptr_t capacity);

#endif
