#include "core/event.h"

#include <assert.h>

static const char *const tag_names[] = {
#define X(id, name, what) name,
    EVENT_TAGS(X)
#undef X
};

static const char *const violation_names[VIOLATION_COUNT] = {
    [VIOLATION_ASSERT] = "assertion failed",
    [VIOLATION_ABORT] = "abort",
    [VIOLATION_FLAG] = "flag",
    [VIOLATION_INVALID_ACCESS] = "invalid access",
    [VIOLATION_USE_AFTER_FREE] = "use after free",
    [VIOLATION_DOUBLE_FREE] = "double free",
    [VIOLATION_INVALID_FREE] = "invalid free",
    [VIOLATION_DEADLOCK] = "deadlock",
    [VIOLATION_MUTEX] = "mutex misuse",
    [VIOLATION_THREAD] = "thread misuse",
    [VIOLATION_ARITHMETIC] = "arithmetic error",
    [VIOLATION_STACK_OVERFLOW] = "stack overflow",
    [VIOLATION_LIBRARY] = "library misuse",
};

const char *event_tag_name(enum event_tag tag)
{
    assert(tag < TAG_COUNT);
    return tag_names[tag];
}

const char *violation_name(enum violation_kind kind)
{
    assert(kind < VIOLATION_COUNT);
    return violation_names[kind];
}
