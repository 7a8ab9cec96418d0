#!/usr/bin/env bash
# Several checks as text: whole names, a summary, each of the compiler's warnings
# once.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_table.sh
set -u
. "$(dirname "$0")/cli.sh"
litmus=$SRC/tests/programs/litmus

# ---- names are never cut, and verdicts stand below each other
long=a_program_with_a_name_that_is_rather_long_for_a_table_of_eighty_columns.c
cp "$litmus/sb.c" "$long"
cp "$litmus/sb.c" é.c
cp "$SRC/tests/programs/violations/out_of_bounds.c" bounds.c
cp "$litmus/lb.c" lb.c
run 1 --arch=x86_64,aarch64 --source-model=sc "$long" é.c bounds.c lb.c
out_has "^$long x86_64 .*  MISCOMPILED"
out_has "^$long aarch64 .*  MISCOMPILED"
out_lacks '\.\.\.'
# Columns are of characters, not of bytes.
[ "$(LC_ALL=C.UTF-8 python3 - <<'E'
lines = [l for l in open("out", encoding="utf-8") if " x86_64 " in l or " aarch64 " in l]
print(len({l.index(" x86_64 ") if " x86_64 " in l else l.index(" aarch64 ") for l in lines}), len(lines))
E
)" = '1 8' ] || complain "the columns do not line up"

# ---- the summary
[ "$(tail -n 1 out)" = '8 checks: 1 sound, 5 miscompiled, 2 violations' ] ||
    complain "another summary: $(tail -n 1 out)"
run 2 --arch=x86_64,aarch64 "$litmus/mp.c" missing.c
[ "$(tail -n 1 out)" = '3 checks: 2 sound, 1 error' ] ||
    complain "another summary: $(tail -n 1 out)"
run 0 --arch=aarch64,ppc64le "$litmus/lb.c"
[ "$(tail -n 1 out)" = '2 checks: 2 sound (2 with load buffering)' ] ||
    complain "another summary: $(tail -n 1 out)"
run 3 --arch=x86_64,aarch64 --max-executions=1 "$litmus/sb.c"
[ "$(tail -n 1 out)" = '2 checks: 2 inconclusive' ] ||
    complain "another summary: $(tail -n 1 out)"
run 0 --arch=x86_64,aarch64 --quiet "$litmus/mp.c"
out_lacks 'checks:'
run 0 --arch=x86_64 "$litmus/mp.c"
out_lacks 'checks?:'

# ---- functions, with their programs if there are several
cat >functions.c <<'END_C'
int x;
int test_short(void) { x = 1; return 0; }
int test_with_a_name_of_more_than_thirty_two_characters(void) { x = 2; return 0; }
int main(void) { return 0; }
END_C
cp functions.c others.c
run 0 --arch=x86_64 '--entry=test_*' functions.c
out_has '^test_with_a_name_of_more_than_thirty_two_characters x86_64 .*SOUND'
out_has '^test_short {42}x86_64'
run 0 --arch=x86_64 '--entry=test_*' functions.c others.c
out_has '^functions.c:test_short +x86_64'
out_has '^others.c:test_short +x86_64'

# ---- a warning is about the program, not about each of its compilations
cat >warned.c <<'END_C'
#include <stdatomic.h>
atomic_int x;
static int one(void) { int unused_here; return 1; }
int main(void)
{
    int unused_there;
    if (x = one())
        x = 2;
    return 0;
}
END_C
run 0 --arch=all warned.c -- -Wall
for what in unused_here unused_there Wparentheses; do
    [ "$(grep -c "warning: .*$what" err)" = 1 ] ||
        complain "the warning of $what is there $(grep -c "warning: .*$what" err) times"
done
[ "$(grep -c 'use .==. to turn' err)" = 1 ] || complain "a note is missing, or twice"
# GCC has its own words, also once.
run 0 --arch=x86_64,x86_64 --cc=gcc warned.c -- -Wall
[ "$(grep -c 'In function .main.' err)" = 1 ] || complain "GCC's warnings: $(cat err)"
# What differs is said of each; what fails is said once.
run 2 --arch=x86_64,aarch64 warned.c -- -Wno-all -include missing.h
[ "$(grep -c 'missing.h. file not found' err)" = 1 ] || complain "errors: $(cat err)"
finish
