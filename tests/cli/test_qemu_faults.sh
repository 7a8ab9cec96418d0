#!/usr/bin/env bash
# What goes wrong in a guest and with QEMU: message, exit code, and that nothing
# is left running or lying around.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_qemu_faults.sh
: "${HWCHECK:?}" "${SRC:?}"
cd "$SRC" || exit 1
if ! command -v qemu-aarch64 >/dev/null; then
    echo "no qemu-user: nothing tested"
    exit 0
fi
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { # <what> <output>
    echo "FAILED: $1"
    echo "$2"
    failed=1
}

# expect <exit code> <part of the output> <argument>...
expect() {
    local code=$1 text=$2 out rc
    shift 2
    out=$(TMPDIR=$tmp "$HWCHECK" explore --model=sc "$@" 2>&1)
    rc=$?
    [ $rc = "$code" ] || fail "$*: exit code $rc, not $code" "$out"
    grep -qF -- "$text" <<<"$out" || fail "$*: no '$text'" "$out"
}

program=tests/machine/faults.c
for isa in x86_64 aarch64 ppc64le ppc64 riscv64; do
    expect 1 "null pointer" --arch=$isa $program -- -w -DFAULT=null
    expect 1 "stack overflow" --arch=$isa $program -- -w -DFAULT=overflow
    expect 3 "faults.c:29 in main: never ends" --arch=$isa $program -- -w \
        -DFAULT=silent
    expect 3 "system call" --arch=$isa $program -- -w -DFAULT=call
done
for isa in aarch64 ppc64le ppc64; do
    expect 3 "QEMU does not tell what 'dc" --arch=$isa $program -- -w \
        -DFAULT=clear_block
done
# Zero times is no access.
expect 0 "SOUND" --arch=x86_64 $program -- -w -DFAULT=clear_block
expect 3 "QEMU does not know instruction" --arch=ppc64le $program -- -w \
    -DFAULT=unknown

expect 2 "cannot be run" --arch=x86_64 --qemu=/nowhere/qemu \
    tests/machine/names.c
for message in "unrecognized option -plugin" "unknown option 'plugin'"; do
    printf '#!/bin/sh\necho "qemu: %s" >&2; exit 1\n' "$message" >"$tmp/qemu"
    chmod +x "$tmp/qemu"
    expect 2 "has no plugins or is too old" --arch=x86_64 --qemu="$tmp/qemu" \
        tests/machine/names.c
    rm "$tmp/qemu"
done

# A process group of its own, so that our QEMU can be told from others.
children() { pgrep -P "$1" -f qemu- || true; }

# hwcheck killed: its QEMU ends with it.
"$HWCHECK" explore --model=sc --arch=aarch64 $program -- -w -DFAULT=counting \
    >/dev/null 2>&1 &
pid=$!
for _ in $(seq 100); do
    child=$(children $pid)
    [ -n "$child" ] && break
    sleep 0.05
done
[ -n "$child" ] || fail "no QEMU was seen" ""
kill -9 $pid
wait $pid 2>/dev/null
for _ in $(seq 40); do
    [ -e "/proc/${child:-0}" ] || break
    sleep 0.05
done
[ -e "/proc/${child:-0}" ] && fail "QEMU $child outlives hwcheck" ""

# QEMU killed once: the check goes on as if nothing had happened.
"$HWCHECK" explore --model=sc --arch=aarch64 $program -- -w -DFAULT=counting \
    >"$tmp/out" 2>&1 &
pid=$!
for _ in $(seq 100); do
    child=$(children $pid)
    [ -n "$child" ] && break
    sleep 0.05
done
sleep 0.2
[ -n "$child" ] && kill -9 "$child"
wait $pid
rc=$?
out=$(cat "$tmp/out")
rm "$tmp/out"
[ $rc = 3 ] || fail "QEMU killed once: exit code $rc" "$out"
grep -q "iterations" <<<"$out" || fail "QEMU killed once" "$out"

[ -z "$(ls -A "$tmp")" ] || fail "files are left" "$(ls "$tmp")"
exit $failed
