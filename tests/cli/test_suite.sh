#!/usr/bin/env bash
# Every mapping that is not said to be bad is sound on the programs of the suite
# (tests/suite), on each machine that it is for; load buffering is not counted.
# Compilers are, too. tests/suite/known.txt has what is not. Takes one program in
# EVERY.
#   HWCHECK=<binary> SRC=<project root> [EVERY=N] tests/cli/test_suite.sh [MAPPING...]
set -u
: "${HWCHECK:?the binary to test}" "${SRC:?the root of the project}"
every=${EVERY:-40}
[ "${HWC_FAST:-0}" = 0 ] || every=200
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

# "mapping isa model" of each that is to be sound.
good() {
    "$HWCHECK" mappings | awk '!/ bad: / {
        for (i = 3; $i ~ /^(x86_64|aarch64|ppc64le|ppc64|riscv64)$/; i++)
            print $1, $i, $2 }'
}

# The suite as a program of the language whose model it is.
suite_of() { # <model>
    local lang=c
    case $1 in
    jam*) lang=java ;;
    lkmm) lang=linux ;;
    ocaml | imm | tso) lang=$1 ;;
    esac
    suite=$tmp/$lang.c
    [ -e "$suite" ] ||
        awk -f "$SRC/tests/suite/generate.awk" -v lang=$lang -v every="$every" \
            -v first=7 "$SRC/tests/suite/shapes.txt" >"$suite"
}

check() { # <mapping> <isa> <model>
    suite_of "$3"
    local wanted n
    wanted=$(grep -c '^int test_' "$suite")
    "$HWCHECK" check '--entry=test_*' --mapping="$1" --arch="$2" --timeout=100 \
        "$suite" >"$tmp/out" 2>"$tmp/err" </dev/null
    awk -v words="$3 $1" '
        NR == FNR { if (index(" " words " ", " " $1 " ")) known["test_" $2]; next }
        FNR == 1 { next }
        / SOUND( \(and LOAD-BUFFERING\))?$/ || $1 in known { n++; next }
        { print > "/dev/stderr" }
        END { print n + 0 }' "$SRC/tests/suite/known.txt" "$tmp/out" \
        >"$tmp/n" 2>"$tmp/flagged"
    n=$(cat "$tmp/n")
    passed=$((passed + n))
    if [ "$n" != "$wanted" ] || [ "$wanted" = 0 ]; then
        failed=$((failed + 1))
        echo "FAILED $1 on $2: $n of $wanted programs are sound"
        cat "$tmp/flagged"
        head -n 5 "$tmp/err"
    fi
}

if [ $# -gt 0 ]; then
    good | grep -E "^($(tr ' ' '|' <<<"$*")) " >"$tmp/list"
else
    good >"$tmp/list"
    printf 'native %s rc11\n' x86_64 aarch64 ppc64le ppc64 riscv64 >>"$tmp/list"
fi
while read -r mapping isa model; do
    check "$mapping" "$isa" "$model"
done <"$tmp/list"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
