/* <limits.h> for guest programs: GCC's own asks for the system's, which a cross
 * compiler does not find. */
#ifndef HWC_GUEST_LIMITS_H
#define HWC_GUEST_LIMITS_H

#define CHAR_BIT  __CHAR_BIT__
#define SCHAR_MAX __SCHAR_MAX__
#define SCHAR_MIN (-__SCHAR_MAX__ - 1)
#define UCHAR_MAX (2 * __SCHAR_MAX__ + 1)
#ifdef __CHAR_UNSIGNED__
#define CHAR_MIN 0
#define CHAR_MAX UCHAR_MAX
#else
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#endif
#define SHRT_MAX   __SHRT_MAX__
#define SHRT_MIN   (-__SHRT_MAX__ - 1)
#define USHRT_MAX  (2 * __SHRT_MAX__ + 1)
#define INT_MAX    __INT_MAX__
#define INT_MIN    (-__INT_MAX__ - 1)
#define UINT_MAX   (2U * __INT_MAX__ + 1U)
#define LONG_MAX   __LONG_MAX__
#define LONG_MIN   (-__LONG_MAX__ - 1L)
#define ULONG_MAX  (2UL * __LONG_MAX__ + 1UL)
#define LLONG_MAX  __LONG_LONG_MAX__
#define LLONG_MIN  (-__LONG_LONG_MAX__ - 1LL)
#define ULLONG_MAX (2ULL * __LONG_LONG_MAX__ + 1ULL)
#define MB_LEN_MAX 16
#define SSIZE_MAX  LONG_MAX
#define PATH_MAX   4096

#endif
