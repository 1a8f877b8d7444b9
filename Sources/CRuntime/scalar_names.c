// Unicode.Scalar.Properties.name is nil in release programs. Nothing here asks for a name, and the tables of names are 550 kB of
// each program.
#include "scalar_names.h"

intptr_t no_scalar_name(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
    (void)scalar;
    (void)buffer;
    (void)capacity;
    return 0;
}
