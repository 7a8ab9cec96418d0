#!/usr/bin/env bash
# The findings of docs/FINDINGS.md are still there: the source is sound, what
# the compiler makes of it is not.
#   HWCHECK=<binary> SRC=<root> tests/test_findings.sh
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
for isa in x86_64 aarch64 ppc64le ppc64; do
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

program=$SRC/tests/programs/findings/idempotent_add.c
compare 0 --arch=x86_64 "$program" -- -O0
compare 1 --arch=x86_64 "$program" -- -O1
compare 0 --arch=x86_64 --mapping=c11-x86-xchg "$program"
exit $failed
