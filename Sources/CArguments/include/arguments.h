// The arguments of this program, as the kernel passed them.
#ifndef STUFFBUCKET_CARGUMENTS_H
#define STUFFBUCKET_CARGUMENTS_H

// Their number, including the program's name; 0 if unknown.
int carguments_count(void);

// One of them, from 0; NULL if there is none. It lives as long as the process.
const char *carguments_word(int index);

// The path by which the program was executed (AT_EXECFN of getauxval(3)), relative to the folder at its start; NULL
// if unknown.
const char *carguments_path(void);

#endif
