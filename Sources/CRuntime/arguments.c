// Swift's CommandLine reads /proc/self/cmdline and is empty without /proc. glibc passes argc and argv to every constructor
// of a program, so this constructor stores them before main begins. This cannot be a header: a constructor
// must be compiled once.
#include "arguments.h"

#include <stddef.h>
#include <sys/auxv.h>

static int count;
static char **words;

__attribute__((constructor)) static void keep(int argc, char **argv, char **variables) {
    (void)variables;
    count = argc;
    words = argv;
}

int program_argument_count(void) { return words == NULL ? 0 : count; }

const char *program_argument(int index) { return index >= 0 && index < program_argument_count() ? words[index] : NULL; }

const char *program_path(void) { return (const char *)getauxval(AT_EXECFN); }
