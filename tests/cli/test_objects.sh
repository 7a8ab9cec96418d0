#!/usr/bin/env bash
# Machine code that something else made of the program.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_objects.sh
set -u
. "$(dirname "$0")/cli.sh"
files=$SRC/tests/programs/files
program=$files/assembly.c
guest=$(dirname "$HWCHECK")/guest/include

cc() { # <clang's arguments>
    clang-19 --target="$1" -nostdlibinc -isystem "$guest" -O2 "${@:2}"
}
x86=x86_64-linux-gnu
cc $x86 -g -c "$program" -o good.o
cc $x86 -c "$program" -o bare.o
cc $x86 -g -fPIC -DWEAK -c "$program" -o weak.o
cc $x86 -S "$program" -o good.s
cc $x86 -S -DWEAK "$program" -o weak.s

# The ISA is the object's; assembly in it is fine.
run 0 "$program" --object=good.o
out_has '^target +x86_64, .*clang.*, --object good.o'
out_has '^SOUND: all [0-9]+ outcomes'
out_has ' r1=1 r2=0 total=1 x=1 y=1$'
run 1 "$program" --object=weak.o
out_has ' 1  r1=0 r2=0 total=1 x=1 y=1.*<- forbidden'
run 0 --arch=x86_64 "$program" --asm=good.s
run 1 --arch=x86_64 "$program" --asm=weak.s

# Without debug information: by symbols; lines of failures are not known.
run 0 "$program" --object=bare.o
out_has '^target +x86_64, --object bare.o'
out_has '^not compared: total'
out_has "! assertion 'total == 1 && r1 == 1' failed$"

# Pointers to what it has no name for are not wrong, and others are.
cat >points.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static int hidden;
int *to, shown[2], *allocated;
static void *point(void *u)
{
#ifdef OTHER
    to = &shown[1];
#else
    to = &hidden;
#endif
    allocated = malloc(4);
    shown[0] = 1;
    return u;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, point, 0);
    return pthread_join(t, 0);
}
END
cc $x86 -g0 -c points.c -o points.o
run 3 points.c --object=points.o
out_has 'UNMODELLED.*pointers to what the machine code has no name or line of'
cc $x86 -g0 -DOTHER -c points.c -o points.o
run 1 points.c --object=points.o
run 0 points.c --object=points.o -- -DOTHER
out_has 'allocated=&malloc@T1#1 shown\[0\]=1 to=&shown\[1\]'

# Several objects for several files.
for f in main other; do
    cc aarch64-linux-gnu "-I$files/include" -g -c "$files/$f.c" -o $f.o
done
run 0 --link "$files/main.c" "$files/other.c" --object=main.o --object=other.o \
    -- "-I$files/include"
out_has '^SOUND: all [0-9]+ outcome'
run 2 --link "$files/main.c" "$files/other.c" --object=main.o \
    -- "-I$files/include"
err_has 'undefined symbol: fill'

# What cannot be.
run 2 "$program" --object=main.o --arch=x86_64
err_has "'main.o' is for aarch64, not for x86_64"
run 2 "$program" --object=good.o --arch=x86_64,aarch64
err_has '--object and --asm are of one ISA'
run 2 "$program" --asm=good.s
err_has '--asm needs --arch'
run 2 "$program" --object=none.o
err_has "cannot read 'none.o'"
run 2 "$program" --object="$program"
err_has 'is not an ELF object'
run 2 "$program" --object="$HWCHECK"
err_has 'is linked already: expected an object'
run 2 "$program" "$program" --object=good.o
err_has 'take one program, got 2'
run 2 "$program" --object=good.o --mapping=bad-x86-sc-store
err_has 'a mapping cannot be applied to what is compiled already'
echo 'int r1;' | cc $x86 -x c -c - -o empty.o
run 2 "$program" --object=empty.o
err_has "has no symbol 'main'"
run 2 explore "$program" -- -U__HWCHECK_SOURCE__
err_has 'assembly.c:19: inline assembly .*#ifdef __HWCHECK_SOURCE__'

# Damaged ones give a message.
bytes=$(stat -c %s good.o)
for at in 4 16 18 40 58 60 $((bytes / 2)) $((bytes - 300)) $((bytes - 100)); do
    cp good.o damaged.o
    printf '\377\177\376' | dd of=damaged.o bs=1 seek="$at" conv=notrunc 2>err
    last=("$program" --object=damaged.o "(byte $at)")
    "$HWCHECK" --timeout=20 "$program" --object=damaged.o >out 2>err </dev/null
    code=$?
    [ $code -le 3 ] || complain "exit code $code"
    [ $code != 2 ] || err_has '^hwcheck: '
done
head -c 1000 good.o >short.o
run 2 "$program" --object=short.o
err_has '^hwcheck: '

finish
