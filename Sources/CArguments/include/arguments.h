// The words that this program was started with, as the kernel gave them.
#ifndef STUFFBUCKET_CARGUMENTS_H
#define STUFFBUCKET_CARGUMENTS_H

// Their number, the program's own name included; 0 if they are not known.
int carguments_count(void);

// One of them, counted from 0; NULL where there is none. It lives as long as the process.
const char *carguments_word(int index);

// The path by which the program was executed (AT_EXECFN of getauxval(3)), relative to the folder it was started in; NULL
// if it is not known.
const char *carguments_path(void);

#endif
