#!/usr/bin/env bash
# The forms of a check's witness: JSON, Graphviz, a page, a folder for a bug
# report with a litmus test that shows the same.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_check_output.sh
set -u
. "$(dirname "$0")/cli.sh"
litmus=$SRC/tests/programs/litmus
volatile4=$SRC/tests/programs/java/volatile4.c
hotspot9=(--arch=ppc64le --mapping=java-volatile-hotspot9)

file_has() { grep -qE -e "$2" "$1" || complain "$1 lacks '$2'"; }
file_lacks() { ! grep -qE -e "$2" "$1" || complain "$1 has '$2'"; }

# Each tag is closed, in order; no bare & or < in the text.
balanced() { # <file>
    awk 'BEGIN { RS = "<" }
    NR == 1 { next }
    {
        n = index($0, ">")
        if (!n) { print "no end of a tag: " $0; exit 1 }
        tag = substr($0, 1, n - 1)
        text = tag substr($0, n + 1)
        gsub(/&(amp|lt|gt|quot|#[0-9]+);/, "", text)
        if (index(text, "&")) { print "bare &: " $0; exit 1 }
        if (tag ~ /^!DOCTYPE/ || tag ~ /\/$/) next
        name = tag; sub(/[ \t\n].*/, "", name)
        if (name !~ /^\//) { stack[++depth] = name; next }
        if ("/" stack[depth] != name) {
            print "<" stack[depth] "> ends with <" name ">"; exit 1
        }
        depth--
    }
    END { if (depth > 0) { print depth " tags are left open"; exit 1 } }' \
        "$1" >why || complain "$1 is not well-formed: $(head -n 1 why)"
    if command -v xmllint >/dev/null; then
        xmllint --noout "$1" 2>why ||
            complain "$1 is no XML: $(head -n 2 why)"
    fi
}

# ---- JSON: both executions, what is broken, who is to blame
run 1 "${hotspot9[@]}" --json "$volatile4"
err_empty
out_has '"mapping":[[:space:]]"java-volatile-hotspot9"'
out_has '"compiler":[[:space:]]".*clang'
out_has '"target_model":[[:space:]]"power'
out_has '"class":[[:space:]]"MISCOMPILED"'
out_has '"class":[[:space:]]"ALLOWED"'
out_has '"axiom":[[:space:]]"volatile-order"'
out_has '"culprit":[[:space:]]true'
out_has '"code":[[:space:]]"lwsync ; stw %v, 0\(%a\)"'
out_has '"instruction":[[:space:]]"stw r[0-9]+, 0\(r[0-9]+\)"'
out_has '"data":[[:space:]]\["[a-z]+"\]'
if command -v python3 >/dev/null; then
    python3 - >why 2>&1 <<'END' || complain "JSON: $(tail -n 1 why)"
import json
d = json.load(open("out"))["entries"][0]
extra = {e["text"]: e for e in d["extra"]}
listed = {o["text"]: o for o in d["outcomes"]}
assert extra, "no extra outcome"
for text, e in extra.items():
    assert listed[text]["source"] == 0 and listed[text]["class"] == e["class"]
    assert listed[text]["machine"] == e["executions"] > 0
    names = [v["id"] for v in e["machine"]["events"]]
    assert len(names) == len(set(names))
    for v in e["machine"]["events"]:
        assert v.get("rf", "init") in names + ["init"]
first = d["extra"][0]
source = {v["id"] for v in first["source"]["events"]}
machine = {v["id"] for v in first["machine"]["events"]}
assert all(s["event"] in source for s in first["source"]["cycle"])
blamed = [s for s in first["culprits"] if s["culprit"]]
assert blamed and all(s["from"]["source"] in source and
                      s["to"]["machine"] in machine for s in blamed)
assert len(blamed[0]["mapping"]) == 2
END
fi

# ---- Graphviz
run 1 "${hotspot9[@]}" --quiet --dot=both.dot "$volatile4"
file_has both.dot '^subgraph cluster_source'
file_has both.dot '^subgraph cluster_machine'
file_has both.dot 'xlabel="no order", color=red'
file_has both.dot 'color="#c000c0", .*style=bold'
if command -v dot >/dev/null; then
    dot -Tsvg both.dot >both.svg 2>why || complain "dot: $(head -n 2 why)"
fi
run 0 --arch=x86_64 --quiet --dot=none.dot "$litmus/sb.c"
err_has "no execution to draw into 'none.dot'"
run 1 --arch=x86_64 --quiet --dot=race.dot \
    "$SRC/tests/programs/violations/data_race.c"
file_has race.dot '^digraph'

# ---- the page
run 1 "${hotspot9[@]}" --html=page.html "$volatile4"
err_empty
out_has '^MISCOMPILED'
balanced page.html
file_has page.html '<h1>MISCOMPILED</h1>'
file_has page.html 'id="reason">the machine code allows'
for part in id=\"facts\" id=\"outcomes\" 'class="source"' 'class="machine"' \
    'class="axiom"' 'class="cycle-table"' 'class="missing"' 'class="map"' \
    'class="events"' 'class="program"' 'class="hot"' 'class="edge cycle at-' \
    'class="edge culprit at-' '<dd>java-volatile-hotspot9</dd>' \
    '<dd>jam21' 'forbidden by the source' 'volatile-order' 'no order' \
    'prefers-color-scheme:dark'; do
    file_has page.html "$part"
done
[ "$(grep -c '<svg xmlns="http://www.w3.org/2000/svg" class="execution"' page.html)" -ge 2 ] ||
    complain "page.html lacks its graphs"
# Nothing comes from elsewhere.
grep -oE '(src|href)=|url\([^#]|@import|<script [^>]' page.html >why &&
    complain "page.html needs $(head -n 1 why)"

# A read-modify-write to blame, and one that became no read at all.
unused=$SRC/tests/mappings/MP-swap-unused.litmus
run 1 check --arch=aarch64 --mapping=bad-aarch64-swp-zr --json=swap.json \
    --html=swap.html "$unused"
balanced swap.html
file_has swap.html 'Mapping: exchange relaxed 32 noreturn is <code>swp %v, wzr'
file_has swap.html 'Mapping: fence acquire is <code>dmb ishld'
file_has swap.html 'class="edge culprit at-'
file_has swap.json '"operation":[[:space:]]"exchange relaxed 32 noreturn"'
file_has swap.json '"lacking":[[:space:]]\[\]'
run 1 check --arch=x86_64 --mapping=bad-x86-exchange-store --json=store.json \
    --html=store.html "$unused"
balanced store.html
file_has store.html 'class="missing lacking">No such access: <code><b>f</b>: R\*'
file_has store.html 'Mapping: exchange relaxed 32 noreturn is <code>movl %v'
tr -d ' \n\t' <store.json | grep -q '"lacking":\[{"source":"f","mapping":\[{"operation":"exchangerelaxed32noreturn"' ||
    complain "store.json does not say what is lacking"

# Names and texts of a program are never markup.
cat >'a<b>&"c.c' <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
/* <script>alert("&amp;")</script> é */
atomic_int x, y;
int r1, r2;
static void *one(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return p;
}
static void *two(void *p)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(r1 || r2 || !"<i> & \"both\"");
}
END
printf '// \xff\x01\n' >>'a<b>&"c.c'
run 1 --arch=x86_64 --source-model=sc --html=odd.html --dot=odd.dot 'a<b>&"c.c'
balanced odd.html
file_has odd.html 'a&lt;b&gt;&amp;&quot;c.c'
file_lacks odd.html '<script>alert|<i> &'
if command -v dot >/dev/null; then
    dot -Tsvg odd.dot >/dev/null 2>why || complain "dot: $(head -n 2 why)"
fi
# Other verdicts have a page too.
run 0 --arch=x86_64 --quiet --html=sound.html "$litmus/sb.c"
balanced sound.html
file_has sound.html '<h1>SOUND</h1>'
run 3 --arch=x86_64 --quiet --max-executions=1 --html=open.html "$litmus/sb.c"
balanced open.html
file_has open.html 'INCONCLUSIVE \(BOUNDED\)'
run 1 --arch=x86_64 --quiet --html=race.html \
    "$SRC/tests/programs/violations/data_race.c"
balanced race.html
file_has race.html 'undefined behaviour'

# ---- the folder
run 1 "${hotspot9[@]}" --quiet --bundle=bug "$volatile4"
err_empty
head -n 1 bug/report.md | grep -q -- '--bundle=bug' ||
    complain "report.md does not begin with the command"
file_has bug/command.txt '--mapping=java-volatile-hotspot9'
file_has bug/report.md '^# MISCOMPILED: volatile4.c on ppc64le'
file_has bug/report.md "breaks the axiom 'volatile-order'"
file_has bug/report.md 'hwcheck litmus --target-model=power.* bad.litmus'
file_has bug/program.s '^ *[0-9a-f]+: +lwsync'
file_has bug/program.s '# volatile4.c:[0-9]+'
file_has bug/outcomes.txt ' 0 +[0-9]+ +MISCOMPILED +'
cmp -s bug/volatile4.c "$volatile4" || complain "the program is another"
balanced bug/witness.html

# With what the program includes.
run 1 --arch=x86_64 --quiet --bundle=included \
    "$SRC/tests/programs/real/lamport_fast.c"
cmp -s included/critical.h "$SRC/tests/programs/real/critical.h" ||
    complain "the bundle lacks critical.h"
run 1 --arch=x86_64 --quiet included/lamport_fast.c
file_has included/report.md 'critical.h.: which it includes'

# Never over what is there.
run 2 "${hotspot9[@]}" --quiet --bundle=bug "$volatile4"
err_has "the folder 'bug' is not empty"
out_empty
run 2 --arch=x86_64 --quiet --bundle=both.dot "$litmus/sb.c"
err_has "'both.dot' is not a folder"

# What cannot be written is said, before the work if that can be known.
run 2 --arch=x86_64 --bundle=both.dot/bug "$litmus/sb.c"
err_has "both.dot/bug'"
out_empty
for option in --html --dot; do
    run 1 --arch=x86_64 --source-model=sc "$option=/dev/full" "$litmus/sb.c"
    err_has "cannot write '/dev/full'"
    out_has '^MISCOMPILED'
done

# Its litmus test is allowed by the machine, and not by any interleaving.
same_litmus() { # <words of the code> <argument>...
    local words=$1
    shift
    rm -rf bundle
    run 1 --quiet --source-model=sc --bundle=bundle "$@"
    out_has '^MISCOMPILED'
    for word in $words; do
        file_has bundle/bad.litmus "(^|[ |])${word//./\\.}( |\$)"
    done
    run 0 bundle/bad.litmus
    out_has '^Observation bad-.* Sometimes [1-9]'
    err_empty
    run 0 litmus --target-model=sc bundle/bad.litmus
    out_has '^Observation bad-.* Never'
}
same_litmus 'movl' --arch=x86_64 "$litmus/sb.c"
same_litmus 'LDR STR' --arch=aarch64 "$litmus/lb.c"
same_litmus 'stw lwz' --arch=ppc64le "$litmus/mp.c"
same_litmus 'isync cmpw' --arch=ppc64le --mapping=bad-power-release-none \
    "$litmus/mp-rel-acq.c"

# Read-modify-writes and dependencies of each kind.
cat >rmw.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#define RLX memory_order_relaxed
atomic_int x, y;
atomic_long z[2];
int r1, r2;
long r3;
static void *one(void *p)
{
    atomic_fetch_add_explicit(&x, 1, ORDER);
    r1 = atomic_load_explicit(&y, RLX);
    return p;
}
static void *two(void *p)
{
    int seen = atomic_exchange_explicit(&y, 7, ORDER);
    r2 = atomic_load_explicit(&x, RLX);
    r3 = atomic_load_explicit(&z[seen & 1], RLX);
    if (seen == 0)
        atomic_store_explicit(&z[1], -5 + seen, RLX);
    return p;
}
int main(void)
{
    pthread_t t, u;
    atomic_store_explicit(&z[0], 3, RLX);
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    r1 = r1 * 10 + atomic_load_explicit(&x, RLX);
}
END
same_litmus 'LDXR STXR CBNZ EOR' --arch=aarch64 rmw.c -- -DORDER=RLX
same_litmus 'SWP EOR' --arch=aarch64 --mapping=c11-aarch64-lse rmw.c -- \
    -DORDER=RLX
same_litmus 'LDAXR' --arch=aarch64 rmw.c -- -DORDER=memory_order_acquire
same_litmus 'lwarx stwcx. bne xor cmpw' --arch=ppc64le rmw.c -- -DORDER=RLX
file_has bundle/bad.litmus 'int64_t z_0=3;'
file_has bundle/bad.litmus 'stands for 0xfffffffffffffffb'

# herd7 is asked if it is there.
mkdir bin
printf '#!/bin/sh\necho "Observation $(basename $1) Sometimes 1 3"\n' >bin/herd7
chmod +x bin/herd7
rm -rf bundle
PATH=$PWD/bin:$PATH run 1 --arch=x86_64 --source-model=sc --quiet \
    --bundle=bundle "$litmus/sb.c"
file_has bundle/report.md '^    Observation bad.litmus Sometimes 1 3'

# ---- several checks
run 2 --arch=x86_64,aarch64 --dot=page.dot "$litmus/sb.c"
err_has 'dot takes one program, one ISA and one function'
out_empty
run 2 --arch=x86_64 '--entry=test_*' --dot=page.dot "$litmus/sb.c"
err_has 'dot takes one program, one ISA and one function'
mkdir other many
cp "$litmus/sb.c" other/sb.c
run 1 --arch=x86_64,aarch64 --source-model=sc --bundle=many "$litmus/sb.c" \
    other/sb.c
for name in sb-x86_64 sb-aarch64 sb-x86_64-2 sb-aarch64-2; do
    file_has "many/$name/report.md" '^# MISCOMPILED: sb.c on'
done
balanced many/index.html
for name in sb-x86_64 sb-aarch64 sb-x86_64-2 sb-aarch64-2; do
    file_has many/index.html "<a href=\"$name/witness.html\">"
done
# A page: a table of all, a section for each that is not sound.
run 1 --arch=x86_64,aarch64 --html=several.html "$litmus/mp.c" "$litmus/sb.c" \
    "$SRC/tests/programs/violations/data_race.c" missing.c
balanced several.html
file_has several.html '<h1>ERROR 1, VIOLATION 2, SOUND 4</h1>'
file_has several.html '<section class="check" id="check-2">'
file_lacks several.html 'id="check-3"'
file_has several.html '>4 sound<'
file_has several.html 'missing.c.*ERROR'
sort several.html | grep -o ' id="[^"]*"' | sort | uniq -d >why
[ ! -s why ] || complain "several.html uses$(head -n 1 why) twice"

# ---- many functions: what is not sound, by its name
{
    printf '#include <pthread.h>\n#include <stdatomic.h>\n'
    printf '#define RLX memory_order_relaxed\n'
    for name in rlx sc seq; do
        order=memory_order_seq_cst
        [ $name != rlx ] || order=RLX
        cat <<END
atomic_int ${name}_x, ${name}_y;
int ${name}_r1, ${name}_r2;
static void *${name}_one(void *p)
{
    atomic_store_explicit(&${name}_x, 1, $order);
    ${name}_r1 = atomic_load_explicit(&${name}_y, $order);
    return p;
}
int test_$name(void)
{
    pthread_t t;
    pthread_create(&t, 0, ${name}_one, 0);
    atomic_store_explicit(&${name}_y, 1, $order);
    ${name}_r2 = atomic_load_explicit(&${name}_x, $order);
    pthread_join(t, 0);
    return 0;
}
END
    done
    echo 'int main(void) { return 0; }'
    # A long program is not shown as a whole.
    yes '/* The end. */' | head -n 400
} >orders.c
run 1 --arch=x86_64,aarch64 --source-model=sc '--entry=test_*' \
    --html=orders.html --bundle=orders orders.c
balanced orders.html
balanced orders/index.html
file_has orders.html '<h1>MISCOMPILED 2, SOUND 4</h1>'
file_has orders.html '<a href="#check-1">orders.c:test_rlx</a></td><td>x86_64'
file_has orders.html '<a href="#check-2">orders.c:test_rlx</a></td><td>aarch64'
file_has orders.html '<section class="check" id="check-2">'
file_has orders.html '<h2><code>orders.c:test_rlx</code> on aarch64</h2>'
file_has orders.html 'class="edge culprit at-'
file_has orders.html '<code>rlx_r1=0 rlx_r2=0 '
file_has orders.html 'class="hot"><i>[0-9]+</i>.*atomic_store_explicit..amp;rlx_x'
file_lacks orders.html 'The end|id="check-3"'
[ "$(ls orders | tr '\n' ' ')" = 'index.html rerun.sh test_rlx-aarch64 test_rlx-x86_64 ' ] ||
    complain "orders/ has other folders: $(ls orders)"
file_has orders/index.html '<a href="test_rlx-aarch64/witness.html">'
file_has orders/index.html 'test_sc</td><td>aarch64.*SOUND'
bug=orders/test_rlx-aarch64
balanced $bug/witness.html
file_has $bug/report.md '^# MISCOMPILED: orders.c:test_rlx on aarch64'
file_has $bug/program.s '^test_rlx:'
file_has $bug/program.s '^rlx_one:'
file_lacks $bug/program.s 'test_sc|seq_one|nop'
file_has $bug/command.txt ' --entry=test_rlx --arch=aarch64 '
file_lacks $bug/command.txt 'entry=test_\*'
cmp -s $bug/orders.c orders.c || complain "$bug has another program"
run 0 $bug/bad.litmus
out_has '^Observation bad-.* Sometimes [1-9]'
# Nothing to report: a page all the same.
run 0 --arch=x86_64 '--entry=test_s*' --html=good.html --bundle=good orders.c
balanced good.html
file_has good.html '<h1>SOUND 2</h1>'
[ "$(ls good | tr '\n' ' ')" = 'index.html rerun.sh ' ] || complain "good/ has $(ls good)"
# One function is one check.
run 1 --arch=x86_64 --source-model=sc --entry=test_rlx --html=rlx.html \
    --dot=rlx.dot --bundle=rlx --quiet orders.c
file_has rlx.html '<title>MISCOMPILED: orders.c:test_rlx on x86_64</title>'
file_has rlx/report.md '^# MISCOMPILED: orders.c:test_rlx on x86_64'
run 1 --arch=x86_64 --source-model=sc '--entry=test_*' --html=/dev/full orders.c
err_has "cannot write '/dev/full'"
out_has 'test_rlx .*MISCOMPILED'
finish
