// libxml2, for the reader's tree.
//
// Its header pulls in ICU's, which clash with those of Foundation in a test ("'UErrorCode' has different definitions"):
// the macro that asks for them is taken away first.
#ifndef STUFFBUCKET_CXML_SHIM_H
#define STUFFBUCKET_CXML_SHIM_H

#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/tree.h>

#endif
