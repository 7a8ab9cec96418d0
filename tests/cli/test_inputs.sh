#!/usr/bin/env bash
# Other ways in than a C file for clang: objects, linked images, GCC. The
# outcomes are those of the source.
#   HWCHECK=<binary> SRC=<root> tests/cli/test_inputs.sh
set -u
: "${HWCHECK:?the binary to test}" "${SRC:?the root of the project}"
guest=$(dirname "$HWCHECK")/guest
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

declare -A triple=([x86_64]=x86_64-linux-gnu [aarch64]=aarch64-linux-gnu
    [ppc64le]=powerpc64le-linux-gnu [ppc64]=powerpc64-linux-gnu
    [riscv64]=riscv64-linux-gnu)
declare -A gcc=([x86_64]=gcc [aarch64]=aarch64-linux-gnu-gcc
    [ppc64le]=powerpc64le-linux-gnu-gcc [ppc64]=powerpc64-linux-gnu-gcc
    [riscv64]=riscv64-linux-gnu-gcc)

fail() { # <what>
    failed=$((failed + 1))
    echo "FAILED $1"
}

explore() { # <file for the outcomes> <argument>...
    local out=$1
    shift
    "$HWCHECK" explore --model=sc --json --timeout=60 "$@" >"$tmp/json" \
        2>"$tmp/err"
    awk -f "$SRC/tests/cli/outcomes.awk" "$tmp/json" | sort -u >"$out"
}

# As the source, whose outcomes are in $tmp/source.
same() { # <what> <argument>...
    local what=$1
    shift
    explore "$tmp/machine" "$@"
    if [ -s "$tmp/source" ] && cmp -s "$tmp/source" "$tmp/machine"; then
        passed=$((passed + 1))
    else
        fail "$what: $(cat "$tmp/err")"
        diff "$tmp/source" "$tmp/machine" | head -5
    fi
}

# Refused with this exit code and text.
refused() { # <code> <text> <argument>...
    local code=$1 text=$2 out rc
    shift 2
    out=$("$HWCHECK" explore --model=sc "$@" 2>&1)
    rc=$?
    if [ $rc = "$code" ] && grep -qF -- "$text" <<<"$out"; then
        passed=$((passed + 1))
    else
        fail "$*: exit code $rc, not $code, or no '$text': $out"
    fi
}

# Objects and images, by hand as docs/QEMU.md says.
program=$SRC/bench/programs/mp.c
explore "$tmp/source" "$program"
for isa in "${!triple[@]}"; do
    abi=()
    [ "$isa" != ppc64 ] || abi=(-mabi=elfv2 -mcpu=power8)
    clang-19 --target="${triple[$isa]}" "${abi[@]}" -O2 -g -fno-pic \
        -nostdlibinc -isystem "$guest/include" -c "$program" \
        -o "$tmp/$isa.o" || fail "clang-19 for $isa"
    ld.lld-19 -static -T "$guest/link.ld" "$guest/$isa.o" "$tmp/$isa.o" \
        -o "$tmp/$isa.elf" || fail "ld.lld-19 for $isa"
    same "object for $isa" --arch="$isa" "$tmp/$isa.o"
    same "image for $isa" --arch="$isa" --elf "$tmp/$isa.elf"
done
refused 2 "is for aarch64, not for x86_64" --arch=x86_64 --elf \
    "$tmp/aarch64.elf"
refused 2 "linking failed" --arch=x86_64 "$tmp/aarch64.o"
refused 2 "not a static executable" --arch=x86_64 --elf "$HWCHECK"
refused 2 "cannot read" --arch=x86_64 --elf "$tmp/none.elf"
refused 2 "cannot read" --arch=x86_64 "$tmp/none.o"
head -c 1000 "$tmp/x86_64.elf" >"$tmp/cut.elf"
refused 2 "cut.elf" --arch=x86_64 --elf "$tmp/cut.elf"
: >"$tmp/empty.elf"
refused 2 "empty.elf" --arch=x86_64 --elf "$tmp/empty.elf"
sed 's/__hwc_text_end = \./__hwc_text_end = 0x7fffffff/' "$guest/link.ld" \
    >"$tmp/moved.ld"
ld.lld-19 -static -T "$tmp/moved.ld" "$guest/x86_64.o" "$tmp/x86_64.o" \
    -o "$tmp/moved.elf" || fail "ld.lld-19 with a symbol moved"
refused 2 "'__hwc_text_start' and '_end' are not in one segment of code" \
    --arch=x86_64 --elf "$tmp/moved.elf"
refused 2 "cannot be run" --arch=x86_64 --cc=no-such-compiler "$program"

# A compiler that loses the only store to a variable: found whatever the DWARF
# says of variables, or does not.
cat >"$tmp/lost.c" <<'EOF'
#include <pthread.h>
int lost;
static void *child(void *unused)
{
#ifndef LOSE
    lost = 1;
#endif
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    return 0;
}
EOF
printf '#!/bin/sh\nexec clang-19 -DLOSE "$@"\n' >"$tmp/clang-lossy"
chmod +x "$tmp/clang-lossy"
for debug in -g -g1 -g0 -gsplit-dwarf; do
    (cd "$tmp" && "$HWCHECK" check --arch=x86_64 --cc="$tmp/clang-lossy" \
        "$tmp/lost.c" -- $debug) >"$tmp/out" 2>&1
    if [ $? = 1 ] && grep -q '^MISCOMPILED' "$tmp/out"; then
        passed=$((passed + 1))
    else
        fail "a lost store with $debug: $(cat "$tmp/out")"
    fi
done

[ "$(echo "$tmp"/*.dwo)" = "$tmp/*.dwo" ] || fail "DWARF in a file of its own"

# DWARF with types that are made of themselves, and what cannot be read at all.
clang-19 --target=x86_64-linux-gnu -gdwarf-4 -fno-pic -nostdlibinc \
    -isystem "$guest/include" -S "$SRC/tests/machine/names.c" \
    -o "$tmp/names.s" || fail "clang-19 -S"
for kind in typedef array_type structure_type; do
    # The members of such a struct are of its type.
    awk -v kind="DW_TAG_$kind" '
        /Abbrev \[[0-9]*\] 0x/ {
            split($6, at, ":")
            if ($NF == kind) self = at[1]
            else if ($NF != "DW_TAG_member") self = ""
        }
        /# DW_AT_type/ && /\.long/ && self != "" { $0 = "\t.long\t" self; n++ }
        { print }
        END { exit n == 0 }' "$tmp/names.s" >"$tmp/self.s" ||
        fail "no $kind in the DWARF of names.c"
    timeout -k 1 60 "$HWCHECK" explore --arch=x86_64 "$tmp/self.s" >"$tmp/out" 2>&1
    rc=$?
    if [ $rc = 0 ]; then
        passed=$((passed + 1))
    else
        fail "a $kind of itself: exit code $rc: $(cat "$tmp/out")"
    fi
done
sed 's/\.long.*# DW_AT_stmt_list/.long 0x7fffffff/' "$tmp/names.s" >"$tmp/bad.s"
refused 2 "DWARF is damaged" --arch=x86_64 "$tmp/bad.s"

# GCC. LSE atomics, and the outline ones' inline form, beside exclusives.
programs=(litmus/2+2w.c litmus/inc2.c litmus/cas2.c litmus/corr.c
    real/mcs.c real/ttas.c real/seqlock.c real/treiber.c real/peterson.c)
[ "${HWC_FAST:-0}" != 1 ] || programs=(real/treiber.c)
for name in "${programs[@]}"; do
    explore "$tmp/source" "$SRC/tests/programs/$name"
    for isa in "${!gcc[@]}"; do
        cc=${gcc[$isa]}
        command -v "$cc" >/dev/null || continue
        flags=(-O0 -O2 -O3)
        [ "$isa" != aarch64 ] || flags+=("-O2 -march=armv8.1-a")
        for set in "${flags[@]}"; do
            read -ra words <<<"$set"
            same "$name by $cc $set" --arch="$isa" --cc="$cc" \
                "$SRC/tests/programs/$name" -- "${words[@]}"
        done
    done
done
for cc in "${gcc[@]}"; do
    command -v "$cc" >/dev/null || echo "SKIPPED: no $cc (tools/setup check)"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
