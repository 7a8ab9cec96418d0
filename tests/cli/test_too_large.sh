#!/usr/bin/env bash
# What is too large is refused, or UNMODELLED: a limit of ours is nothing that
# the program does.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_too_large.sh
set -u
. "${SRC:?}/tests/cli/cli.sh"

# The compiler leaves out an allocation that nobody uses, and with it the test
# whether it failed.
cat >allocate.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int flag;
static void *set(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}
int main(void)
{
    pthread_t t;
    char *p = malloc(BYTES);
    if (!p)
        return 1;
    pthread_create(&t, NULL, set, NULL);
    p[atomic_load(&flag)] = 1;
    pthread_join(t, NULL);
    return KEEP ? *p : 0;
}
END
for keep in 0 1; do
    run 3 check --arch=x86_64 allocate.c -- -DBYTES=3000000000u -DKEEP=$keep
    out_has 'UNMODELLED.*allocation of 3000000000 bytes, not less than 1073741824, at allocate.c:13'
done
run 3 explore --arch=x86_64 allocate.c -- -DBYTES=3000000000u -DKEEP=1
out_has 'UNMODELLED.*allocation of 1 GiB or more'
# No C library has that.
run 0 check --arch=x86_64 allocate.c -- -O0 '-DBYTES=(size_t)-9' -DKEEP=1
out_has 'exit=1'

cat >locals.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
int seen;
static _Thread_local volatile char many[BYTES];
static void *set(void *unused)
{
    many[sizeof many - 1] = 2;
    atomic_store(&flag, many[sizeof many - 1]);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, NULL);
    many[sizeof many - 1] = 1;
    seen = atomic_load(&flag);
    pthread_join(t, NULL);
    return many[sizeof many - 1];
}
END
run 0 check --arch=all locals.c -- -DBYTES=65000
run 2 check --arch=all locals.c -- -DBYTES=65400
[ "$(grep -c 'the thread-local variables take 65[0-9]* bytes; at most 65216 are supported' err)" = 5 ] ||
    complain "not refused for each machine"

finish
