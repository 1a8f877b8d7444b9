// libarchive, for reading and writing tar and zip files. Its calls are not variadic, so that Swift imports them as they are.
#ifndef STUFFBUCKET_CARCHIVE_SHIM_H
#define STUFFBUCKET_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

#endif
