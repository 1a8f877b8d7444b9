// What a program tells the processor in advance.
#ifndef STUFFBUCKET_CHINTS_H
#define STUFFBUCKET_CHINTS_H

// Asks for the memory at an address, which is read soon. Any address may be given.
static inline void chints_read_soon(const void *address) { __builtin_prefetch(address); }

#endif
