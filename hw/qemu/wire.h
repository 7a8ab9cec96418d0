/* What hwcheck, its QEMU plugin and the guest say to each other.
 *
 * hwcheck and the plugin share one block of memory (struct wire, a memfd) and
 * take turns: `turn` says whose it is, and whoever has the turn may touch the
 * rest. The plugin and the guest share a mailbox in guest memory, whose words
 * are in the guest's byte order; the guest fills it and then executes the
 * instruction at `marker_pc`, before which the plugin looks into it.
 *
 * A run: hwcheck names a thread and the values that its reads of shared memory
 * shall return ("feeds"). The plugin lets the guest run, writes each value to
 * memory just before it is read, and records what happens. Behind the last
 * one it lets the thread go on for a while with what memory holds: that is the
 * answer to a question that may come.
 *
 * Included by the freestanding guest too: nothing but stdint.h here. */
#ifndef HW_QEMU_WIRE_H
#define HW_QEMU_WIRE_H

#include <stdint.h>

#define WIRE_MAGIC   0x68776331u /* "hwc1" */
#define WIRE_VERSION 5u

/* The guest's address space beyond its image: one region a thread. */
#define WIRE_BASE        ((uint64_t)1 << 44)
#define WIRE_REGION_BITS 33
#define WIRE_THREADS     64
#define WIRE_HEAP        0x000000000u /* slots of 64 KiB */
#define WIRE_HEAP_MEDIUM 0x040000000u /* slots of 16 MiB */
#define WIRE_HEAP_LARGE  0x080000000u /* slots of 1 GiB */
#define WIRE_OWN         0x180000000u /* thread-local variables, then stack */
#define WIRE_OWN_END     0x181000000u
#define WIRE_SLOT_BITS   16
#define WIRE_MEDIUM_BITS 24
#define WIRE_LARGE_BITS  30
#define WIRE_TLS_BYTES   0x10000u
/* Of the own part: what is mapped for the stack; below it is a hole. */
#define WIRE_STACK_BYTES 0x800000u

/* What the guest says at the marker. */
enum wire_op {
    OP_NONE,
    OP_IDLE,  /* ready for a run */
    OP_FAULT, /* a: signal, b: address, c: pc */

    /* Those that want a value back: they stop the run if it is not known. */
    OP_READ,   /* a: address, b: size, c: enum wire_mode */
    OP_JOIN,   /* a: handle */
    OP_CHOICE, /* a: number of alternatives */

    /* Those that do not. */
    OP_WRITE,   /* a: address, b: value, c: mode | size << 8 */
    OP_CREATE,  /* a: function, b: argument, c: 1 if it returns an int */
    OP_ALLOC,   /* a: address, b: size, c: 1 if zeroed */
    OP_FREE,    /* a: address */
    OP_OBSERVE, /* a: name, b: value */
    OP_PRINT,   /* a: bytes in b, the first lowest; 0: b is the conversion
                   (print.h) of c */
    OP_EFFECT,  /* something a loop must not be blocked for; no label */
    OP_ERROR,   /* a: enum violation_kind, b: text, c: text put into it or 0 */
    OP_BLOCK,   /* a: enum block_reason */
    OP_UNMODELLED, /* a: text */
    OP_END,        /* a: what the thread returns, b: enum end_kind */
};

static inline int wire_op_asks(uint32_t op)
{
    return op >= OP_READ && op <= OP_CHOICE;
}
/* Nothing comes after it. */
static inline int wire_op_ends(uint32_t op)
{
    return op == OP_FAULT || op >= OP_ERROR;
}

/* What an access by the library is to a memory model. */
enum wire_mode {
    MODE_PLAIN,
    MODE_RLX,
    MODE_ACQ,
    MODE_REL,
    MODE_LOCK,        /* read half of a mutex's lock */
    MODE_RMW_RLX,     /* read halves of other RMWs */
    MODE_ONCE,        /* likewise; no write half follows if it reads 2 */
    MODE_RMW_REL,     /* whose write half releases */
    MODE_RMW_ACQ_REL, /* likewise */
    MODE_RMW_WRITE,   /* write half, relaxed */
    MODE_RMW_WRITE_REL,
    MODE_TRYLOCK, /* read half, relaxed if it fails */
};

/* How far a run goes on without feeds. */
#define WIRE_GUESSES      16
#define WIRE_GUESS_BLOCKS 96

#define WIRE_CHILDREN    64
#define WIRE_HANDLE_BASE 0x7400 /* a thread handle is this plus its number */

/* All words are 64 bits wide, so that no one has to think about layout. */
struct wire_mailbox {
    uint64_t magic;
    uint64_t op;
    uint64_t a, b, c;
    uint64_t pc;     /* where the program called the library */
    uint64_t result; /* of what wants a value */
    uint64_t stop;   /* the run ends here: go back to the loop */

    uint64_t thread; /* the run: filled by the plugin at OP_IDLE */
    uint64_t function;
    uint64_t argument;
    uint64_t stack;                  /* top */
    uint64_t region;                 /* start of the thread's */
    uint64_t handles[WIRE_CHILDREN]; /* of the threads that it creates */
};

#ifndef HWC_GUEST

#include <stdatomic.h>

enum { TURN_HOST, TURN_QEMU }; /* see turn.h */

enum wire_command {
    COMMAND_RUN,
    COMMAND_GO_ON, /* after STATUS_FULL */
    COMMAND_STOP,  /* likewise: end the run */
    COMMAND_QUIT,
};

enum wire_status {
    STATUS_NONE,     /* the plugin has not been heard of */
    STATUS_READY,    /* for the first run */
    STATUS_STOPPED,  /* at or behind a value that is not known */
    STATUS_ENDED,    /* the last record is an OP that ends */
    STATUS_FULL,     /* no room for records; the guest waits */
    STATUS_DIVERGED, /* a read was not where its feed says */
    STATUS_BAD,      /* plugin or guest do not work here: see `message` */
};

/* A value to be read: by an access of the program, or by an OP. */
struct wire_feed {
    uint64_t pc;   /* of the load: other instructions must not see the value
                      early, a store-conditional compares with memory */
    uint64_t addr; /* 0: an OP */
    uint8_t size;
    uint8_t follows;   /* by the same instruction as the one before */
    uint8_t bytes[16]; /* in guest order; OP: uint64_t of ours */
};

enum wire_record_type {
    RECORD_BLOCK, /* n instructions from pc on are executed */
    RECORD_LOAD,
    RECORD_STORE,
    RECORD_OP, /* n: enum wire_op; addr, word[]: a, b, c */
};

enum {
    RECORD_PRIVATE = 1, /* no event: the thread's own, or constant */
    RECORD_FOLLOWS = 2, /* not the first shared load of its instruction */
    RECORD_UNKNOWN = 4, /* there was no feed; a load got what memory holds, an
                           OP stopped the run */
};

struct wire_record {
    uint8_t type; /* enum wire_record_type */
    uint8_t size;
    uint8_t flags;
    uint8_t reserved;
    uint32_t n;
    uint64_t pc;
    uint64_t addr;
    union {
        uint8_t bytes[16]; /* of memory after the access, in guest order */
        uint64_t word[2];
    };
};

struct wire_range {
    uint64_t from, to;
};

#define WIRE_FEEDS   65536
#define WIRE_MEMORY  64
#define WIRE_RECORDS 65536
#define WIRE_RANGES  32
#define WIRE_SHARED  1024
#define WIRE_TEXT    (1u << 20)

enum {                    /* flags of an instruction */
       TEXT_READS = 1,    /* reads memory; else its loads (the comparison inside
                             a store-conditional) are QEMU's own affair */
       TEXT_RESERVES = 2, /* a load-reserve or load-exclusive */
       TEXT_CONDITIONAL = 4, /* a store-conditional */
       TEXT_WORDS = 8,       /* accesses no more than 4 bytes at a time */
       TEXT_JOIN = 16,       /* 16 aligned bytes that it accesses are one */
};

struct wire {
    uint32_t magic, version;
    uint32_t bytes; /* of this structure: both sides must agree */

    /* Set before QEMU starts. */
    uint32_t big_endian;
    uint64_t marker_pc, mailbox;
    struct wire_range quiet; /* code that is not looked at */
    uint32_t n_constant;     /* ranges of memory that no one writes */
    struct wire_range constant[WIRE_RANGES];
    uint64_t text_from; /* instructions with flags; others: TEXT_READS */
    uint64_t text_bytes;
    uint8_t text[WIRE_TEXT];

    _Atomic uint32_t turn;      /* futex */
    _Atomic uint32_t sleeps[2]; /* the side of this turn, waiting for it */

    /* hwcheck's. */
    uint32_t command; /* enum wire_command */
    uint32_t thread;
    uint64_t function, argument;
    uint32_t n_threads; /* regions that must be there */
    uint32_t n_handles;
    uint64_t handles[WIRE_CHILDREN];
    uint32_t n_shared; /* words (address / 8) of stacks that others see */
    uint64_t shared[WIRE_SHARED];
    uint32_t n_feeds;
    uint32_t n_memory;

    /* The plugin's. */
    uint32_t status; /* enum wire_status */
    uint32_t n_records;
    uint32_t api;          /* version of QEMU's plugin interface */
    uint32_t n_translated; /* blocks, for statistics */
    char message[256];

    struct wire_feed feeds[WIRE_FEEDS];
    struct wire_feed memory[WIRE_MEMORY]; /* hwcheck's: what memory is to hold
                                             when the run begins (no pc) */
    struct wire_record records[WIRE_RECORDS];
};

static inline uint64_t wire_region(uint32_t thread)
{
    return WIRE_BASE + ((uint64_t)thread << WIRE_REGION_BITS);
}

#endif
#endif
