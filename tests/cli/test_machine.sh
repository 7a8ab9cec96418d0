#!/usr/bin/env bash
# Machine code has the same outcomes under sc as its source: on each target, for
# each program of the list, at -O2 (HWC_LEVELS="-O0 -O2 -O3" for more).
#   HWCHECK=<binary> SRC=<root> tests/cli/test_machine.sh [target...]
set -u
: "${HWCHECK:?the binary to test}" "${SRC:?the root of the project}"
levels=${HWC_LEVELS:--O2}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(x86_64 aarch64 ppc64le ppc64 riscv64)
if [ "${HWC_FAST:-0}" = 1 ]; then targets=(aarch64); fi
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

# The outcomes of a report, one a line, sorted.
outcomes() { # <json file>
    awk -f "$SRC/tests/cli/outcomes.awk" "$1" | sort -u
}

check() { # <program> <target> <level>
    # Locks of one byte are accesses to the word around: of mixed size.
    case "$2 ${1##*/}" in
    "riscv64 caslock.c" | "riscv64 flaglock.c") return ;;
    esac
    local name=$1 options=("--model=sc" --json --timeout=60)
    "$HWCHECK" explore "${options[@]}" --arch="$2" "$SRC/$name" -- "$3" \
        >"$tmp/machine.json" 2>"$tmp/err"
    outcomes "$tmp/machine.json" >"$tmp/machine"
    if cmp -s "$tmp/source" "$tmp/machine"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name on $2 $3: $(cat "$tmp/err")"
        diff "$tmp/source" "$tmp/machine" | head -5
    fi
}

list=()
for f in "$SRC"/tests/programs/litmus/*.c; do list+=("${f#"$SRC"/}"); done
# Left out, because at -O2 the outcomes differ or nothing comes to an end:
# * lamport_fast, peterson_sc, ring_cursors: clang breaks them, see docs/FINDINGS.md;
# * condition: clang makes the buffer, which only ever gets 7, a bool: it may,
#   no one outside the file sees it;
# * treiber_free: is wrong, and stops at the first violation.
for f in "$SRC"/tests/programs/real/*.c; do
    case ${f##*/} in
    lamport_fast.c | peterson_sc.c | ring_cursors.c | condition.c | treiber_free.c) ;;
    *) list+=("${f#"$SRC"/}") ;;
    esac
done
list+=(tests/programs/counts/casrot.c tests/programs/spin/many_tries.c)
# Under sanitizers a tenth will do.
step=1
if [ "${HWC_FAST:-0}" = 1 ]; then step=10; fi
for ((i = 0; i < ${#list[@]}; i += step)); do
    program=${list[i]}
    "$HWCHECK" explore --model=sc --json --timeout=60 "$SRC/$program" \
        >"$tmp/source.json" 2>"$tmp/err" || { cat "$tmp/err"; }
    outcomes "$tmp/source.json" >"$tmp/source"
    for target in "${targets[@]}"; do
        for level in $levels; do check "$program" "$target" "$level"; done
    done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
