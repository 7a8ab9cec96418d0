#!/usr/bin/env bash
# A bundle is run again elsewhere, with nothing left of where it was made: the
# same verdict.
set -u
. "$SRC/tests/cli/cli.sh"
export HWCHECK
n_moved=0

# Moves the bundle away, deletes what it was made of, and runs it again.
again() { # <bundle> <script's expected code> <expected text>
    n_moved=$((n_moved + 1))
    local at=$tmp/moved/$n_moved
    mkdir -p "$tmp/moved"
    mv "$1" "$at" || complain "no bundle $1"
    (cd / && "$at/rerun.sh" >"$tmp/out" 2>"$tmp/err" </dev/null)
    local got=$?
    [ $got = "$2" ] || complain "rerun.sh: exit code $got, expected $2"
    out_has "$3"
    ! grep -rqF "$tmp/work" "$at" --include=rerun.sh --include=command.txt ||
        complain "the command names the folder of origin"
}

# ---- headers in other folders, a mapping like another, a model with an include
mkdir -p work/src/sub work/inc/deep work/sys work/my work/unused
cat >work/inc/deep/store.h <<'C'
#include <stdatomic.h>
extern atomic_int x, y;
static inline void raise(atomic_int *p) { atomic_store(p, 1); }
C
echo '#include "../sys/order.h"' >work/inc/all.h
echo '#include "deep/store.h"' >>work/inc/all.h
echo '#define SEEN(p) atomic_load(p)' >work/sys/order.h
echo '#define VALUE 1' >work/src/sub/forced.h
cat >"work/src/it's sb.c" <<'C'
#include <all.h>
#include <pthread.h>
atomic_int x, y;
int r1, r2;
void *f(void *p) { raise(&x); r1 = SEEN(&y) * VALUE; return p; }
void *g(void *p) { raise(&y); r2 = SEEN(&x) * VALUE; return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
C
printf 'title   ldapr for all\nlike    base.map\nload seq_cst 32 = ldapr %%d, [%%a]\n' >work/my/mine.map
printf 'title   base\nlike    c11-aarch64\nflags   -march=armv8.3-a\n' >work/my/base.map
"$HWCHECK" models show rc11 >work/my/whole.cat
printf '"mine"\ninclude "whole.cat"\n' >work/my/own.cat
cd work/src || exit 1
"$HWCHECK" --arch=aarch64 --mapping=../my/mine.map --source-model=../my/own.cat --quiet \
    --timeout=100 --bundle="$tmp/bug" "it's sb.c" -- -I../inc -I ../unused -I/nowhere -include sub/forced.h \
    >"$tmp/out" 2>"$tmp/err" </dev/null
code=$?
cd "$tmp" || exit 1
last=(--bundle)
[ $code = 1 ] || complain "exit code $code, expected 1"
for f in "src/it's sb.c" inc/all.h inc/deep/store.h sys/order.h src/sub/forced.h \
    mappings/mine.map mappings/base.map models/own.cat models/whole.cat rerun.sh; do
    [ -s "bug/$f" ] || complain "the bundle lacks $f"
done
[ "$(cat bug/command.txt)" = "hwcheck check --source-model=models/own.cat --arch=aarch64 --mapping=mappings/mine.map --timeout=100 'src/it'\\''s sb.c' -- -Iinc -Iunused -include src/sub/forced.h" ] ||
    complain "command.txt: $(cat bug/command.txt)"
rm -r work
again bug 0 '^the verdict is the same'
out_has '^MISCOMPILED'
# With another hwcheck the verdict may be another: then it says so.
printf '#!/bin/sh\necho "SOUND: all is well"\n' >fake && chmod +x fake
(HWCHECK=$tmp/fake moved/1/rerun.sh >out 2>err </dev/null) && complain "it takes another verdict"
out_has '^another verdict: it was MISCOMPILED'
# hwcheck from PATH.
mkdir bin && ln -s "$HWCHECK" bin/hwcheck
(unset HWCHECK; PATH=$tmp/bin:$PATH moved/1/rerun.sh >out 2>err </dev/null) || complain "not with hwcheck from PATH"

# ---- several programs and machines; threads with mappings of their own
mkdir work
cp "$SRC/tests/programs/litmus/sb.c" "$SRC/tests/programs/litmus/mp.c" work
run 1 --arch=x86_64,aarch64 --source-model=sc --bundle=many work/sb.c work/mp.c
[ -x many/rerun.sh ] && [ -x many/sb-x86_64/rerun.sh ] || complain "no scripts"
rm -r work
again many 0 '^sb-aarch64: MISCOMPILED'
out_has '^mp-x86_64: SOUND'
[ "$(grep -c 'the verdict is the same' out)" = 4 ] || complain "not 4 checks were run again"

mkdir work
cp "$SRC/tests/programs/litmus/mp-rel-acq.c" work
printf 'title   none\nlike    bad-power-acquire-none\n' >work/none.map
run 1 --arch=ppc64le --map=T2=work/none.map --map=T1=c11-power-leading-sync --quiet \
    --bundle=map work/mp-rel-acq.c
rm -r work
again map 0 'same'
grep -q -- '--map=T2=mappings/none.map' moved/3/command.txt || complain "$(cat moved/3/command.txt)"

# ---- a program of several files, with code that something else made
mkdir -p work/a work/b
printf '#include <stdatomic.h>\nextern atomic_int x, y;\nextern int r1, r2;\nvoid *f(void *);\nvoid *g(void *);\n' >work/b/both.h
printf '#include "../b/both.h"\n#include <pthread.h>\natomic_int x, y;\nint r1, r2;\nint main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }\n' >work/a/main.c
printf '#include "both.h"\nvoid *f(void *p) { x = 1; r1 = y; return p; }\nvoid *g(void *p) { y = 1; r2 = x; return p; }\n' >work/b/other.c
run 1 --link --arch=x86_64 --mapping=bad-x86-sc-store --quiet --html=linked.html --bundle=linked work/a/main.c work/b/other.c
grep -q '<code>work/b/both.h</code></h3>' linked.html || complain "the page lacks a header"
grep -q '<code>work/b/other.c</code></h3>' linked.html || complain "the page lacks the second file"
rm -r work
again linked 0 'same'
out_has '^MISCOMPILED'
cat moved/4/a/main.c moved/4/b/other.c moved/4/b/both.h >/dev/null || complain "files are missing"
mkdir work
cp "$SRC/tests/programs/litmus/sb.c" work
clang-19 --target=x86_64-linux-gnu -O1 -g -nostdlibinc -isystem "$(dirname "$HWCHECK")/guest/include" \
    -S work/sb.c -o work/sb.s 2>err || complain "clang"
clang-19 --target=x86_64-linux-gnu -g -c work/sb.s -o work/sb.o 2>err || complain "clang"
run 1 --arch=x86_64 --source-model=sc --quiet --object=work/sb.o --bundle=object work/sb.c
run 1 --arch=x86_64 --source-model=sc --quiet --asm=work/sb.s --bundle=asm work/sb.c
rm -r work
again object 0 'same'
again asm 0 'same'

# ---- functions, a litmus test, what is refused or cut short
mkdir work
{
    printf '#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nint r1, r2;\n'
    printf 'void *f(void *p) { x = 1; r1 = y; return p; }\nvoid *g(void *p) { y = 1; r2 = x; return p; }\n'
    printf 'void test_sb(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); }\nint main(void) { test_sb(); return 0; }\n'
} >work/tests.c
run 1 --arch=x86_64 --mapping=bad-x86-sc-store '--entry=test_*' --bundle=entries work/tests.c
cp "$SRC/tests/litmus/c/MP+rel+acq.litmus" work
run 0 check --arch=x86_64 --quiet --bundle=litmus work/MP+rel+acq.litmus
run 3 check --arch=x86_64 --quiet --max-executions=1 --bundle=cut work/tests.c --entry=test_sb
rm -r work
again entries 0 '^test_sb-x86_64: MISCOMPILED'
again litmus 0 '^SOUND'
again cut 0 '^INCONCLUSIVE'
finish
