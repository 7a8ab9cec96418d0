/* What differs by target: macros, char, byte order, sizes. */
#include "ordinary.h"

#include <limits.h>

static void *skip(void *unused)
{
    return unused;
}

static int machine;

static void *find_machine(void *unused)
{
#if defined __x86_64__
    machine = 1;
#elif defined __aarch64__
    machine = 2;
#elif defined __powerpc64__ && defined __LITTLE_ENDIAN__
    machine = 3;
#elif defined __powerpc64__
    machine = 4;
#endif
    PLANT((void)0, machine = 5);
    return unused;
}

int test_machine(void)
{
    both(find_machine, skip);
    return 0;
}

static int order;

static void *find_order(void *unused)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    order = PLANT(1, 2);
#else
    order = PLANT(2, 1);
#endif
    return unused;
}

int test_byte_order_macro(void)
{
    both(find_order, skip);
    return 0;
}

static int first_byte;

static void *look_at_bytes(void *unused)
{
    unsigned word = 0x01020304;
    unsigned char bytes[4];
    memcpy(bytes, &word, 4);
    first_byte = bytes[PLANT(0, 1)];
    return unused;
}

int test_byte_order(void)
{
    both(look_at_bytes, skip);
    return 0;
}

/* Bytes of a shared word. */
static union {
    unsigned word;
    unsigned char bytes[4];
} shared_word;
static unsigned char second_byte;

static void *fill_word(void *unused)
{
    shared_word.word = 0x0a0b0c0d;
    return unused;
}

static void *take_byte(void *unused)
{
    second_byte = shared_word.bytes[PLANT(1, 2)];
    return unused;
}

int test_byte_of_word(void)
{
    in_turn(fill_word, take_byte);
    return 0;
}

static int is_signed;
static volatile char negative = (char)200;

static void *find_sign(void *unused)
{
    is_signed = negative < 0 ? 1 : PLANT(2, 3);
    PLANT((void)0, is_signed += 10);
    return unused;
}

int test_char_sign(void)
{
    both(find_sign, skip);
    return 0;
}

static int char_min;

static void *take_char_min(void *unused)
{
    char_min = CHAR_MIN + CHAR_MAX + PLANT(0, 1);
    return unused;
}

int test_char_min(void)
{
    both(take_char_min, skip);
    return 0;
}

static int widened;

static void *widen(void *unused)
{
    char c = negative;
    widened = c + PLANT(0, 1);
    return unused;
}

int test_widened_char(void)
{
    both(widen, skip);
    return 0;
}

static size_t sizes[8];

static void *take_sizes(void *unused)
{
    sizes[0] = sizeof(long);
    sizes[1] = sizeof(long double);
    sizes[2] = sizeof(wchar_t);
    sizes[3] = _Alignof(max_align_t);
    sizes[4] = sizeof(void *) + PLANT(0, 1);
    return unused;
}

int test_sizes(void)
{
    both(take_sizes, skip);
    return 0;
}

static struct {
    unsigned a : 4, b : 12;
    unsigned c : 16;
} fields;
static unsigned char field_byte;

static void *fill_fields(void *unused)
{
    fields.a = 1;
    fields.b = 0x234;
    fields.c = PLANT(0x5678, 0x5679);
    return unused;
}

static void *look_at_fields(void *unused)
{
    memcpy(&field_byte, &fields, 1);
    return unused;
}

int test_bytes_of_fields(void)
{
    in_turn(fill_fields, look_at_fields);
    return 0;
}

static wchar_t wide[4];

static void *fill_wide(void *unused)
{
    wide[0] = L'\xfc';
    wide[1] = (wchar_t)-PLANT(1, 2);
    return unused;
}

int test_wchar(void)
{
    both(fill_wide, skip);
    return 0;
}

/* A number as it is sent. */
static unsigned char packet[4];

static void *send_number(void *unused)
{
    unsigned number = PLANT(0x11223344, 0x11223345);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    number = __builtin_bswap32(number);
#endif
    memcpy(packet, &number, 4);
    return unused;
}

int test_network_order(void)
{
    both(send_number, skip);
    return 0;
}

/* A union in turn used as one and the other, between two threads. */
static union {
    long number;
    char letters[8];
} slot;

static void *use_number(void *unused)
{
    slot.number = -1;
    return unused;
}

static void *use_letters(void *unused)
{
    if (slot.number == -1)
        memcpy(slot.letters, PLANT("abcdefg", "abcdefh"), 8);
    return unused;
}

int test_union_in_turn(void)
{
    in_turn(use_number, use_letters);
    return 0;
}

int main(void)
{
    return 0;
}
