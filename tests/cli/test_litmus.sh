#!/usr/bin/env bash
# Litmus tests: the verdicts that the files of tests/litmus expect (a line
# `Expect=model:Allowed|Always|Forbidden|Race|Undef ...`; Allowed may be Always),
# the messages for malformed ones,
# and, where the logs of herd7 are at hand, the same states as herd's.
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

# "name verdict" of each test of a log, as after Expect=.
verdicts() { # <log>
    awk '/^Test / { race = undef = 0 }
         /^Flag / { race = 1 }
         /^(Loop )?Undef$/ { undef = 1 }
         /^Observation / {
             verdict = $3 == "Never" ? "Forbidden" : $3 == "Always" ? "Always" : "Allowed"
             print $2, race ? "Race" : undef ? "Undef" : verdict
         }' "$1"
}

# Each folder under each model that its tests speak of, in one call.
expectations() { # <folder>
    local folder=$1 model
    for model in $(sed -n 's/^Expect=//p' "$folder"/*.litmus | tr ' ' '\n' |
        cut -d: -f1 | sort -u); do
        grep -lE "^Expect=.*\b$model:" "$folder"/*.litmus |
            sed 's,.*/,,' >"$tmp/names"
        sed "s,^,$folder/," "$tmp/names" >"$tmp/list"
        "$HWCHECK" litmus --model="$model" "@$tmp/list" >"$tmp/log" 2>"$tmp/err" </dev/null
        case $? in
        0) ;;
        3) grep -qE "^Expect=.*$model:Undef" "$folder"/*.litmus ;;
        *) false ;;
        esac || complain "$folder under $model: $(head -c 300 "$tmp/err")"
        while read -r name; do
            sed -n "s/^Expect=\(.* \)\?$model:\([A-Za-z]*\).*/${name%.litmus} \2/p" \
                "$folder/$name"
        done <"$tmp/names" | sort >"$tmp/want"
        verdicts "$tmp/log" | sort |
            awk 'NR == FNR { want[$1] = $2; next }
                 $2 == "Always" && want[$1] == "Allowed" { $2 = "Allowed" }
                 { print }' "$tmp/want" - >"$tmp/got"
        diff "$tmp/want" "$tmp/got" >"$tmp/diff" ||
            complain "$folder under $model (< expected, > got):
$(grep '^[<>]' "$tmp/diff")"
        echo "$(basename "$folder") under $model: $(wc -l <"$tmp/want") verdicts"
    done
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

for folder in "$SRC"/tests/litmus/*/; do
    expectations "${folder%/}"
done
against_herd ppc
against_herd aarch64
against_herd x86_64
against_herd c --model=rc11-paper
bad_input
[ "$n_failed" = 0 ] && echo "all good"
exit $((n_failed > 0))
