// The arguments of this program, as the kernel passed them.
#ifndef STUFFBUCKET_CRUNTIME_ARGUMENTS_H
#define STUFFBUCKET_CRUNTIME_ARGUMENTS_H

// Their number, including the program's name; 0 if unknown.
int program_argument_count(void);

// One of them, from 0; NULL if there is none. It lives as long as the process.
const char *program_argument(int index);

// The path by which the program was executed (AT_EXECFN of getauxval(3)), relative to the folder at its start; NULL
// if unknown.
const char *program_path(void);

#endif
