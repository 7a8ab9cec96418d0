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
    expect 0 --model=sc --arch=$isa "$program" -- -O0
    expect 1 --model=sc --arch=$isa "$program" -- -O1
done
exit $failed
