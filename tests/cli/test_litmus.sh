#!/usr/bin/env bash
# Litmus tests: the messages for malformed ones, and, where the logs of herd7
# are at hand, the same states as herd's. What they expect: litmus.sh.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_litmus.sh
# LITMUS=<folder> holds <arch>/@all and <arch>.herd.log; default ../shared/litmus.
set -u
: "${HWCHECK:?}" "${SRC:?}"
logs=${LITMUS:-$SRC/../shared/litmus}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n_failed=0

complain() {
    echo "FAILED: $1"
    n_failed=$((n_failed + 1))
}

# Name, states, verdict and condition; how many executions there are is left
# out.
essence() { # <log>
    sed -E '/^(Hash|Time |Positive|Witnesses|Flag |$)/d
            s/^(Observation .*) [0-9]+ [0-9]+$/\1/' "$1"
}

against_herd() { # <arch> <option>...
    local arch=$1 same
    shift
    [ -f "$logs/$arch.herd.log" ] || return
    "$HWCHECK" litmus "$@" "$logs/$arch/@all" >"$tmp/log" 2>"$tmp/err" </dev/null ||
        complain "exit code $? for $logs/$arch: $(head -c 300 "$tmp/err")"
    essence "$logs/$arch.herd.log" >"$tmp/want"
    essence "$tmp/log" >"$tmp/got"
    # One line a test.
    for f in want got; do
        awk '/^Test / && NR > 1 { print line; line = "" }
             { line = line $0 "|" } END { print line }' "$tmp/$f" | sort >"$tmp/$f.1"
    done
    same=$(comm -12 "$tmp/want.1" "$tmp/got.1" | wc -l)
    echo "$arch: $same of $(wc -l <"$tmp/want.1") tests as herd7"
    comm -3 "$tmp/want.1" "$tmp/got.1" >"$tmp/diff"
    [ ! -s "$tmp/diff" ] || complain "$arch (herd7, then hwcheck):
$(sort -t'|' -k1 "$tmp/diff" | tr '|' '\n')"
}

# Malformed tests: exit code 2, the message beside them, and others still run.
bad_input() {
    local f n=0
    for f in "$SRC"/tests/badinput/litmus/*.litmus; do
        (cd "$(dirname "$f")" && "$HWCHECK" litmus "$(basename "$f")") \
            >"$tmp/out" 2>"$tmp/err" </dev/null
        [ $? = 2 ] || complain "$f: exit code is not 2"
        [ ! -s "$tmp/out" ] || complain "$f: prints a log"
        n=$((n + 1))
        diff "${f%.litmus}.expected" "$tmp/err" >"$tmp/diff" ||
            complain "$f: $(cat "$tmp/diff")"
    done
    echo "malformed tests: $n"
    "$HWCHECK" "$SRC/tests/litmus/ppc/MP.litmus" \
        "$SRC/tests/badinput/litmus/no-arch.litmus" \
        "$SRC/tests/badinput/litmus/asm-operand.litmus" \
        "$SRC/tests/litmus/ppc/LB.litmus" >"$tmp/out" 2>"$tmp/err" </dev/null
    [ $? = 2 ] || complain "good and bad tests: exit code is not 2"
    [ "$(grep -c '^Test ' "$tmp/out")" = 2 ] ||
        complain "good tests beside bad ones are not run"
}

against_herd ppc
against_herd aarch64
against_herd x86_64
against_herd c --model=rc11-paper
bad_input
[ "$n_failed" = 0 ] && echo "all good"
exit $((n_failed > 0))
