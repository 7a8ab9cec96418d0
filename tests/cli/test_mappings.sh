#!/usr/bin/env bash
# Mappings: every row of every mapping assembles, is decoded and computes what
# it should; schemes allow and forbid what is known of them
# (tests/mappings/*.litmus: lines `Allowed=` and `Forbidden=` with ISA:MAPPING
# words); what compilers do is the same as its mapping; malformed files and
# wrong uses get their message.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_mappings.sh [PART...]
# PART is rows, types, schemes, native, bad_input or messages.
set -u
: "${HWCHECK:?}" "${SRC:?}"
here=$SRC/tests/mappings
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n_failed=0
step=1
if [ "${HWC_FAST:-0}" = 1 ]; then step=9; fi

complain() {
    echo "FAILED: $1"
    n_failed=$((n_failed + 1))
}

# "name isa" of each mapping, a line for each ISA.
pairs() {
    "$HWCHECK" mappings | awk '{
        for (i = 3; $i ~ /^(x86_64|aarch64|ppc64le|ppc64|riscv64)$/; i++) print $1, $i }'
}

rows() {
    local name isa level n=0 k=0
    while read -r name isa; do
        k=$((k + 1))
        [ $((k % step)) = 0 ] || continue
        for level in -O2 -O0; do
            [ "$level" = -O2 ] || [[ $name == c11-* ]] || continue
            "$HWCHECK" mappings show "$name" | awk -v own="$name" -f "$here/rows.awk" \
                >"$tmp/rows.c" || continue 2 # all inherited
            "$HWCHECK" explore --model=sc --arch="$isa" --mapping="$name" \
                "$tmp/rows.c" -- "$level" >"$tmp/out" 2>&1 </dev/null
            [ "$(grep -cE "^(SOUND: no violation in 1 execution|mapping     $name)\$" "$tmp/out")" = 2 ] ||
                complain "$name on $isa $level: $(grep -v '^\(program\|target\)' "$tmp/out" | head -n 12)"
            n=$((n + 1))
        done
        [[ $name != c11-* ]] || "$HWCHECK" trace --arch="$isa" --mapping="$name" "$tmp/rows.c" \
            >"$tmp/out" 2>&1 </dev/null || complain "$name on $isa: trace: $(tail -n 1 "$tmp/out")"
        # What is printed can be read, and is the same mapping.
        [ "$isa" != ppc64 ] || continue
        "$HWCHECK" mappings show "$name" >"$tmp/again.map"
        "$HWCHECK" mappings show "$tmp/again.map" 2>&1 | grep -v '^# rows of' >"$tmp/again"
        grep -v '^# rows of' "$tmp/again.map" | diff - "$tmp/again" >"$tmp/diff" ||
            complain "$name: does not print as it is: $(head -n 5 "$tmp/diff")"
    done < <(pairs)
    echo "rows: $n mappings executed"
    [ "$n" -gt 4 ] || complain "only $n mappings"
}

# Floats, pointers, structs, at each level of optimisation.
types() {
    local word level
    for word in x86_64:c11-x86-xchg ppc64le:c11-power-leading-sync \
        ppc64:c11-power-trailing-sync aarch64:c11-aarch64-lse; do
        for level in -O0 -O1 -O3; do
            "$HWCHECK" explore --model=sc --arch="${word%:*}" --mapping="${word#*:}" \
                "$here/types.c" -- "$level" >"$tmp/out" 2>&1 </dev/null
            grep -q '^SOUND: no violation in 1 execution$' "$tmp/out" ||
                complain "types.c on $word $level: $(tail -n +4 "$tmp/out" | head -n 12)"
        done
    done
}

schemes() {
    local file kind word seen want n=0 k=0
    for file in "$here"/*.litmus; do
        for kind in Allowed Forbidden; do
            want=Never
            [ "$kind" = Forbidden ] || want=Sometimes
            for word in $(sed -n "s/^$kind=//p" "$file"); do
                k=$((k + 1))
                [ $((k % step)) = 0 ] || continue
                "$HWCHECK" litmus --arch="${word%:*}" --mapping="${word#*:}" \
                    "$file" >"$tmp/out" 2>"$tmp/err" </dev/null
                seen=$(sed -n 's/^Observation [^ ]* \([A-Za-z]*\) .*/\1/p' "$tmp/out")
                [ "$seen" = "$want" ] ||
                    complain "$(basename "$file") $word: '$seen' instead of $want $(cat "$tmp/err")"
                n=$((n + 1))
            done
        done
    done
    echo "schemes: $n verdicts"
    # Each bad mapping must have been seen to be bad.
    "$HWCHECK" mappings | awk '/ bad: / { print $1 }' | while read -r word; do
        grep -qE "^Allowed=.*:$word( |\$)" "$here"/*.litmus || echo "$word"
    done >"$tmp/unseen"
    [ ! -s "$tmp/unseen" ] || complain "no test shows that these are bad: $(cat "$tmp/unseen")"
}

# The outcomes of a report, one a line, sorted, and the verdict.
outcomes() { # <json file>
    awk -f "$SRC/tests/cli/outcomes.awk" "$1" | sort -u
}

native() {
    local word isa program n=0 k=0
    for word in ppc64le:c11-power-leading-sync aarch64:c11-aarch64 x86_64:c11-x86-xchg; do
        isa=${word%:*}
        for program in mp mp-rel-acq mp-relf-acqf sb sb-sc sb-scfs lb lb-acq-rel \
            iriw-sc iriw-acq-sc r-scfs 2+2w-4sc wrc isa2 corr inc2 cas2; do
            [ -f "$SRC/tests/programs/litmus/$program.c" ] || continue
            k=$((k + 1))
            [ $((k % step)) = 0 ] || continue
            "$HWCHECK" explore --json --all --arch="$isa" \
                "$SRC/tests/programs/litmus/$program.c" >"$tmp/native.json" 2>"$tmp/err" </dev/null
            "$HWCHECK" explore --json --all --arch="$isa" --mapping="${word#*:}" \
                "$SRC/tests/programs/litmus/$program.c" >"$tmp/mapped.json" 2>>"$tmp/err" </dev/null
            outcomes "$tmp/native.json" >"$tmp/native"
            outcomes "$tmp/mapped.json" >"$tmp/mapped"
            [ -s "$tmp/native" ] || complain "$program on $isa: no outcomes: $(cat "$tmp/err")"
            diff "$tmp/native" "$tmp/mapped" >"$tmp/diff" ||
                complain "$program on $word: not as native: $(head -n 5 "$tmp/diff" "$tmp/err")"
            n=$((n + 1))
        done
    done
    echo "native: $n programs"
}

# The mapping of a program is used as long as it is well-formed.
bad_input() {
    local f n=0
    for f in "$SRC"/tests/badinput/map/*.expected; do
        (cd "$(dirname "$f")" && "$HWCHECK" mappings show "$(basename "$f" .expected).map") \
            >"$tmp/out" 2>"$tmp/err" </dev/null
        [ $? = 2 ] || complain "$f: exit code is not 2"
        [ ! -s "$tmp/out" ] || complain "$f: prints rows"
        diff "$f" "$tmp/err" >"$tmp/diff" || complain "$f: $(cat "$tmp/diff")"
        n=$((n + 1))
    done
    echo "bad_input: $n files"
}

# Fails with exit code 2 and a line of stderr that matches.
fails() { # <regex> <argument>...
    local want=$1
    shift
    "$HWCHECK" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    [ $? = 2 ] || complain "$*: exit code is not 2"
    grep -qE -- "$want" "$tmp/err" || complain "$*: nothing says '$want': $(cat "$tmp/err")"
}

messages() {
    local p=$here/threads.c
    printf 'title T\nlike c11-aarch64\nstore * * = strr{b|h||} %%v, [%%a]\n' >"$tmp/asm.map"
    printf 'title T\nlike c11-aarch64\n\nrmw seq_cst * = nop ; ldr %%d, [%%a, %%v, foo]\n' >"$tmp/operand.map"
    printf 'title T\nsource rc11\nisa aarch64\nload seq_cst 32 = ldar %%d, [%%a]\n' >"$tmp/rows.map"
    fails "^hwcheck: .*: mapping asm: .*/asm.map:3:.* unrecognized instruction mnemonic" \
        explore --arch=aarch64 --mapping="$tmp/asm.map" "$p"
    fails "^hwcheck: .*: mapping operand: .*/operand.map:4:.* error: " \
        explore --arch=aarch64 --mapping="$tmp/operand.map" "$p"
    fails "threads.c:[0-9]+: mapping 'rows' has no row for '(store|exchange) seq_cst 32'" \
        explore --arch=aarch64 --mapping="$tmp/rows.map" "$p"
    fails "mapping 'c11-x86-xchg' is for x86_64, not for aarch64" \
        explore --arch=aarch64 --mapping=c11-x86-xchg "$p"
    fails "a mapping needs clang" \
        explore --arch=aarch64 --mapping=c11-aarch64 --cc=aarch64-linux-gnu-gcc "$p"
    fails "unknown mapping 'c12'" explore --arch=aarch64 --mapping=c12 "$p"
    fails "go with --arch" explore --mapping=c11-aarch64 "$p"
    fails "expected THREAD=NAME, got 'T1'" explore --arch=aarch64 --map=T1 "$p"
    fails "there is no thread 'T3'" explore --arch=aarch64 --map=T3=c11-aarch64 "$p"
    fails "'indirect' may be called through a pointer" \
        explore --arch=aarch64 --map=T1=c11-aarch64 "$p" -- -DINDIRECT
    fails "which function the thread runs is not known" \
        explore --arch=aarch64 --map=T1=c11-aarch64 "$p" -- -DUNKNOWN
    fails "has no row for '(load|store) seq_cst 128'" \
        explore --arch=aarch64 --mapping=c11-aarch64 "$p" -- -DWIDE
    fails "copying a whole object" \
        explore --arch=aarch64 --mapping=ocaml-aarch64 "$p" -- -DCOPY
    fails "threads of litmus tests are P0, P1, ..., got 'T1=" \
        litmus --arch=x86_64 --map T1=c11-x86-xchg "$here/SB-sc.litmus"
    fails "for C tests, with --arch" litmus --mapping=c11-x86-xchg "$here/SB-sc.litmus"
    fails "for C tests, with --arch" \
        litmus --mapping=c11-power-leading-sync "$SRC/tests/litmus/ppc/MP.litmus"
    fails "unknown mapping 'c12'" litmus --arch=x86_64 --mapping=c12 "$here/SB-sc.litmus"
    fails "SB-sc.litmus:.* mapping 'imm-aarch64' has no row for" \
        litmus --arch=aarch64 --mapping=imm-aarch64 "$here/SB-sc.litmus"
    threads "$p"
}

# Two threads that run the same function by different schemes.
threads() { # <program>
    local trace="$tmp/out"
    "$HWCHECK" trace --arch=aarch64 --mapping=c11-aarch64 --map T1=c11-aarch64-dmb \
        --map worker2=c11-aarch64-lse "$1" >"$trace" 2>"$tmp/err" </dev/null ||
        complain "--map: $(cat "$tmp/err")"
    awk '/^[^ ]/ { thread = $1 } /dmb ish/ { dmb[thread]++ } /stlr/ { stlr[thread]++ }
         /swpal/ { swp[thread]++ } /stlxr/ { stlxr[thread]++ }
         END { exit !(dmb["T1"] && !stlr["T1"] && !swp["T1"] && stlr["T2"] && swp["T2"] &&
                      !dmb["T2"] && stlxr["main"] && !swp["main"]) }' "$trace" ||
        complain "--map: wrong instructions: $(cat "$trace")"
    # An x86 thread that stores by one scheme and one that loads by the other.
    "$HWCHECK" litmus --arch=x86_64 --map P0=bad-x86-sc-store --map P1=c11-x86-xchg \
        "$here/SB-sc.litmus" 2>&1 </dev/null | grep -q '^Observation SB-sc Sometimes' ||
        complain "--map of a litmus test: P0"
    "$HWCHECK" litmus --arch=x86_64 --mapping c11-x86-leading-mfence --map P1=c11-x86-xchg \
        "$here/SB-sc.litmus" 2>&1 </dev/null | grep -q '^Observation SB-sc Never' ||
        complain "--map of a litmus test: P1"
}

if [ $# = 0 ]; then set -- rows types schemes native bad_input messages; fi
for part; do
    case $part in
    rows) rows ;;
    types) types ;;
    schemes) schemes ;;
    native) native ;;
    bad_input) bad_input ;;
    messages) messages ;;
    *) complain "no part '$part'" ;;
    esac
done
[ "$n_failed" = 0 ] && echo "all good"
exit $((n_failed > 0))
