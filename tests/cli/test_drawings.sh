#!/usr/bin/env bash
# Every kind of drawing goes through Graphviz without a word: checks of all ISAs
# and verdicts, explorations, explanations, and names that no one expects.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_drawings.sh
set -u
. "$(dirname "$0")/cli.sh"
litmus=$SRC/tests/programs/litmus
violations=$SRC/tests/programs/violations
. "$SRC/tests/cli/isas.sh"
isas=$(all_isas)
[ -n "$isas" ] || complain "no ISAs"

# Graphviz takes the file and has nothing to say about it.
drawn() { # <file>...
    for file; do
        [ -s "$file" ] || { complain "no drawing '$file'"; continue; }
        dot -Tsvg -o drawn.svg "$file" 2>why ||
            complain "dot fails on $file: $(head -n 1 why)"
        [ ! -s why ] || complain "dot complains of $file: $(head -n 1 why)"
        grep -q '<svg' drawn.svg || complain "no picture of $file"
    done
}

command -v dot >/dev/null || { echo "Graphviz is not installed"; exit 1; }

# ---- checks: MISCOMPILED on every ISA; the shapes that made dot fail are sb's
for isa in $isas; do
    for name in sb sb-rfis rwc-syncs iriw 2+2w inc2; do
        [ -e "$litmus/$name.c" ] || continue
        rm -f "$name.dot"
        "$HWCHECK" --arch="$isa" --source-model=sc --quiet --ignore-races \
            --dot="$name.dot" "$litmus/$name.c" >out 2>err
        [ ! -e "$name.dot" ] || drawn "$name.dot"
    done
    run 1 --arch="$isa" --quiet --source-model=sc --dot=sb.dot "$litmus/sb.c"
    drawn sb.dot
    grep -q 'xlabel="no order"' sb.dot || complain "sb.dot: no order is missing"
done
run 1 --arch=ppc64le --mapping=java-volatile-hotspot9 --quiet \
    --dot=volatile4.dot "$SRC/tests/programs/java/volatile4.c"
drawn volatile4.dot
# VIOLATION: the source's execution.
for name in data_race out_of_bounds double_free uninitialised_pointer; do
    run 1 --arch=aarch64 --quiet --dot=$name.dot "$violations/$name.c"
    drawn $name.dot
done
# The machine code alone fails.
run 1 --arch=aarch64 --source-model=sc --quiet --dot=weak.dot \
    "$violations/weak_assertion.c"
drawn weak.dot

# ---- explorations: the first execution, violations, all executions
for name in sb mp-rel-acq inc2; do
    run 0 explore --quiet --dot=$name.dot "$litmus/$name.c"
    drawn $name.dot
done
for isa in $isas; do
    run 0 explore --quiet --arch="$isa" --dot=sb.dot --dot-all="all-$isa" \
        "$litmus/sb.c"
    drawn sb.dot "all-$isa"/*.dot
done
for file in "$violations"/*.c; do
    rm -f one.dot
    "$HWCHECK" explore --quiet --dot=one.dot "$file" >out 2>err
    [ ! -e one.dot ] || drawn one.dot
done
# Blocked executions are executions.
run 0 explore --quiet --dot-all=blocked "$litmus/assume-ctrl.c"
drawn blocked/*.dot

# ---- explanations: allowed, forbidden; litmus tests of all kinds, C programs
for test in ppc/MP ppc/LB+addrs ppc/SB+syncs aarch64/MP aarch64/RMW2+ldadd \
    x86_64/SB x86_64/INC2 c/SB+sc c/MP+rlx; do
    run 0 explain --dot=explained.dot "$SRC/tests/litmus/$test.litmus"
    drawn explained.dot
done
for isa in $isas; do
    run 0 explain --arch="$isa" --outcome='r1=0 /\ r2=0' --dot=explained.dot \
        "$litmus/sb.c"
    drawn explained.dot
done
run 0 explain --model=sc --outcome='r1=0 /\ r2=0' --dot=explained.dot \
    "$litmus/sb.c"
drawn explained.dot
[ "$(grep -c 'xlabel="fr"' explained.dot)" = 2 ] ||
    complain "an edge of the cycle is drawn twice"

# ---- names are never markup, and never bad UTF-8
name=$'a"b\\<c>&lt;\xff\xc3.c'
cp "$litmus/sb.c" "$name"
run 1 --arch=x86_64 --source-model=sc --quiet --dot=odd.dot "$name"
drawn odd.dot
dot -Tplain odd.dot >/dev/null 2>why || complain "$(head -n 1 why)"
dot -Tsvg odd.dot | grep -q 'a&quot;b\\&lt;c&gt;&amp;lt;\\xff\\xc3\.c' ||
    complain "another name is shown"
finish
