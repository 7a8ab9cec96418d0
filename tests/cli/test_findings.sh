#!/usr/bin/env bash
# The findings of docs/FINDINGS.md are still there: the source is sound, what
# the compiler makes of it is not.
#   HWCHECK=<binary> SRC=<root> tests/cli/test_findings.sh
set -u
: "${HWCHECK:?the binary to test}" "${SRC:?the root of the project}"
failed=0

expect() { # <exit code> <argument>...
    local code=$1 out rc
    shift
    out=$("$HWCHECK" explore --quiet "$@" 2>&1)
    rc=$?
    [ $rc = "$code" ] && return
    failed=1
    echo "FAILED: exit code $rc, not $code: $*: $out"
}

program=$SRC/tests/programs/findings/localized.c
expect 0 --model=rc11 "$program"
for isa in x86_64 aarch64 ppc64le ppc64 riscv64; do
    expect 0 --model=sc --arch="$isa" "$program" -- -O0
    expect 1 --model=sc --arch="$isa" "$program" -- -O1
done

# A check compares the two by itself.
compare() { # <exit code> <argument>...
    local code=$1 out rc
    shift
    out=$("$HWCHECK" check --quiet "$@" 2>&1)
    rc=$?
    [ $rc = "$code" ] && return
    failed=1
    echo "FAILED: exit code $rc, not $code: check $*: $out"
}

program=$SRC/tests/programs/findings/paired.c
compare 0 --arch=aarch64 "$program" -- -O0
compare 1 --arch=aarch64 "$program" -- -O1
compare 0 --arch=x86_64 "$program" -- -O1

program=$SRC/tests/programs/findings/idempotent_add.c
compare 0 --arch=x86_64 "$program" -- -O0
compare 1 --arch=x86_64 "$program" -- -O1
compare 0 --arch=x86_64 --mapping=c11-x86-xchg "$program"

program=$SRC/tests/programs/findings/swap_release.c
compare 0 --arch=riscv64 "$program"
if command -v riscv64-linux-gnu-gcc-12 >/dev/null; then
    while read -r code success failure; do
        compare "$code" --arch=riscv64 --cc=riscv64-linux-gnu-gcc-12 "$program" \
            -- "-DSUCCESS=memory_order_$success" "-DFAILURE=memory_order_$failure"
    done <<'ORDERS'
1 acq_rel acquire
1 release relaxed
1 seq_cst acquire
0 seq_cst seq_cst
ORDERS
fi

# Store buffering with 16 bytes: code for WRITE writes, code for LOAD reads.
program=$SRC/tests/programs/findings/wide_mixed.c
for write in armv8-a armv8.1-a armv8.4-a; do
    for load in armv8-a armv8.1-a armv8.4-a; do
        for rmw in -DRMW -UNONE; do
            code=0
            [ $write-$load != armv8-a-armv8.4-a ] || code=1
            compare $code --atomic-pairs --arch=aarch64 "$program" -- \
                -march=armv8-a "-DWRITE=\"$write\"" "-DLOAD=\"$load\"" $rmw
        done
    done
done

# The same with all code for ARMv8.4: clang 14 is wrong, clang 19 would be before
# 2022, when Arm's model got its rule for what follows a caspal.
program=$SRC/tests/programs/wide/sb.c
compare 0 --arch=aarch64 "$program" -- -march=armv8.4-a -DRMW
old=$(mktemp --suffix=.cat)
grep -v 'amo; \[L\])\]; po; \[M\]' "$SRC/models/armv8.cat" >"$old"
compare 1 --arch=aarch64 --target-model="$old" "$program" -- -march=armv8.4-a -DRMW
rm -f "$old"
if command -v clang-14 >/dev/null; then
    compare 1 --arch=aarch64 --cc=clang-14 "$program" -- -march=armv8.4-a -DRMW
    compare 0 --arch=aarch64 --cc=clang-14 "$program" -- -march=armv8-a -DRMW
fi
exit $failed
