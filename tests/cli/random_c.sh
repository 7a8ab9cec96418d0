#!/usr/bin/env bash
# Random programs (tests/random_c): under sc the machine code has the outcomes of
# the source, no fewer and no others, and a fault that is planted is seen.
# N programs a target, by one compiler and level in turn; with EVERY=1 by each
# compiler.
#   HWCHECK=<binary> SRC=<root> RANDOM_C=<binary> [N=50] [EVERY=1] [SEED=1]
#       tests/cli/random_c.sh
set -u
: "${HWCHECK:?the binary to test}" "${SRC:?the root of the project}"
: "${RANDOM_C:?the generator}"
export HWCHECK SRC RANDOM_C
batch=25

# Prints what is wrong, and "ok N" in the end.
one() { # <seed> <isa> <compiler> <level> <planted: 0 or 1>
    local tmp what="random_c $1 $batch: $2 $3 $4"
    local -a flags=(-I"$SRC/tests/ordinary" "$4" -w)
    [ "$5" = 0 ] || flags+=(-DPLANTED)
    [ "$5" = 0 ] || what+=" -DPLANTED"
    tmp=$(mktemp -d) || exit 2
    "$RANDOM_C" "$1" $batch >"$tmp/random.c"
    "$HWCHECK" check '--entry=test_*' --arch="$2" --cc="$3" --timeout=100 \
        --source-model=sc --target-model=sc "$tmp/random.c" -- "${flags[@]}" \
        2>&1 </dev/null | awk -v what="$what" -v planted="$5" -v n=$batch '
        { all = all "  " $0 "\n" }
        /^test_/ {
            sound = $NF == "SOUND"
            if (sound && $3 == $4 ? !planted : planted && !sound)
                good++
            else
                print "FAILED " what ": " $0
            seen++
        }
        END {
            if (seen != n)
                print "FAILED " what ": " seen " checks\n" substr(all, 1, 1000)
            print "ok " good + 0
        }'
    rm -r "$tmp"
}

if [ "${1:-}" = --these ]; then
    one "$2" "$3" "$4" "$5" "$6"
    exit
fi

declare -A gcc=([x86_64]=gcc [aarch64]=aarch64-linux-gnu-gcc
    [ppc64le]=powerpc64le-linux-gnu-gcc [ppc64]=powerpc64-linux-gnu-gcc
    [riscv64]=riscv64-linux-gnu-gcc)

# Prints what to run, with NUL behind each word. Faults are planted in one batch
# of two.
jobs() {
    local seed=${SEED:-1} isa n cc turn=0
    for isa in x86_64 aarch64 ppc64le ppc64 riscv64; do
        for ((n = 0; n < ${N:-50}; n += batch)); do
            turn=$((turn + 1))
            for cc in clang-19 "${gcc[$isa]}"; do
                [ "${EVERY:-0}" = 1 ] || [ $((turn % 2)) = 1 ] ||
                    cc=${gcc[$isa]}
                printf '%s\0' "$seed" "$isa" "$cc" -O$((seed % 4)) 0
                [ $((seed % 2)) = 0 ] ||
                    printf '%s\0' "$seed" "$isa" "$cc" -O$((seed % 4)) 1
                [ "${EVERY:-0}" = 1 ] || break
            done
            seed=$((seed + 1))
        done
    done
}

results=$(jobs | xargs -0 -r -n 5 -P "${HWC_JOBS:-$(nproc)}" "$0" --these)
grep -v '^ok ' <<<"$results"
passed=$(awk '/^ok / { n += $2 } END { print n + 0 }' <<<"$results")
failed=$(grep -c '^FAILED ' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
