#ifndef _INTTYPES_H
#define _INTTYPES_H
#include <stdint.h>
#define PRId32  "d"
#define PRIu32  "u"
#define PRIx32  "x"
#define PRId64  "ld"
#define PRIu64  "lu"
#define PRIx64  "lx"
#define PRIdPTR "ld"
#define PRIuPTR "lu"
#define PRIxPTR "lx"
#endif
