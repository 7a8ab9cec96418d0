#!/usr/bin/env bash
# Ordinary, correct C programs (tests/ordinary): whatever compiles them, the
# machine code is sound; and with the fault that is planted in the machine code
# of each (-DPLANTED) it is not. Targets, compilers and levels in turn, one of
# each a file; with EVERY=1 all of them, with HWC_FAST=1 every fourth file.
#   HWCHECK=<binary> SRC=<root> [EVERY=1] tests/cli/ordinary.sh [FILE...]
#
# Each function test_* is a program; a file without one is a program itself.
# The head comment of a file may say
#
#   // flags: -g0                       more flags
#   // inconclusive: NAME REASON        this one may be INCONCLUSIVE
#   // unseen: NAME REASON              its fault cannot be seen everywhere
#   // only: COMPILER, REASON           not with others
#   // refused: ISA..., REASON          the command says so and exits 2
set -u
: "${HWCHECK:?the binary to test}" "${SRC:?the root of the project}"
folder=$SRC/tests/ordinary

isas=(x86_64 aarch64 ppc64le ppc64 riscv64)
declare -A gcc=([x86_64]=gcc [aarch64]=aarch64-linux-gnu-gcc
    [ppc64le]=powerpc64le-linux-gnu-gcc [ppc64]=powerpc64-linux-gnu-gcc
    [riscv64]=riscv64-linux-gnu-gcc)

# Runs the programs of a file; a line for each that is not as it should be, and
# "ok N" in the end.
one() { # <file> <isa> <compiler> <level> <planted: 0 or 1>
    local file=$1 isa=$2 cc=$3 level=$4 planted=$5 wanted
    local -a flags options=(--arch="$isa" --cc="$cc" --timeout=100)
    read -ra flags <<<"$(sed -n 's,^// flags: ,,p' "$file")"
    wanted=$(grep -c '^int test_' "$file")
    [ "$wanted" = 0 ] || options+=('--entry=test_*')
    [ "$planted" = 0 ] || flags+=(-DPLANTED)
    if grep -qE "^// refused: ([a-z0-9_]+ )*${isa}[ ,]" "$file"; then
        "$HWCHECK" check "${options[@]}" "$file" -- "$level" >/dev/null 2>&1
        [ $? = 2 ] && echo "ok 1" || echo "FAILED ${file##*/} is not refused"
        return
    fi
    "$HWCHECK" check "${options[@]}" "$file" -- "$level" ${flags[@]+"${flags[@]}"} \
        2>&1 </dev/null | awk -v file="$file" -v planted="$planted" \
        -v wanted="$wanted" -v what="${file##*/} $isa $cc $level" '
        BEGIN {
            while ((getline line < file) > 0)
                if (split(line, word, " ") >= 3 && word[1] == "//" &&
                    word[2] ~ /^(inconclusive|unseen):$/)
                    excused[word[2] word[3]]
            if (planted) what = what " -DPLANTED"
        }
        { all = all "  " $0 "\n" }
        function judge(name, verdict) {
            n++
            bad = 1
            if (verdict == "SOUND")
                bad = planted && !(("unseen:" name) in excused)
            else if (verdict == "INCONCLUSIVE")
                bad = !planted && !(("inconclusive:" name) in excused)
            else if (verdict == "MISCOMPILED")
                bad = !planted
            if (bad) {
                failed++
                print "FAILED " what ": " name " is " verdict
            }
        }
        wanted && /^test_/ {
            match($0, /(SOUND|MISCOMPILED|VIOLATION|INCONCLUSIVE|error)/)
            judge($1, RSTART ? substr($0, RSTART, RLENGTH) : "an error")
        }
        !wanted && /^(SOUND|MISCOMPILED|VIOLATION|INCONCLUSIVE)/ {
            match($0, /^[A-Z]+/)
            judge("main", substr($0, 1, RLENGTH))
        }
        END {
            if (n != (wanted ? wanted : 1)) {
                print "FAILED " what ": " n " checks of " wanted
                printf "%s", substr(all, 1, 1000)
            }
            print "ok " n - failed
        }'
}

if [ "${1:-}" = --these ]; then
    shift
    while [ $# -ge 5 ]; do
        one "$1" "$2" "$3" "$4" "$5"
        shift 5
    done
    exit
fi

# Prints what to run, with NUL behind each word.
jobs() { # <file>...
    local file isa level n=0 planted cc
    for file in "$@"; do
        for isa in "${isas[@]}"; do
            n=$((n + 1))
            if [ "${EVERY:-0}" != 1 ]; then
                [ $((n % 4)) = 0 ] || continue
                [ -z "${HWC_FAST:-}" ] || [ $((n % 16)) = 0 ] || continue
            fi
            for cc in clang-19 "${gcc[$isa]}"; do
                grep -q "^// only: $cc," "$file" ||
                    ! grep -q '^// only: ' "$file" || cc=clang-19
                for level in -O0 -O1 -O2 -O3; do
                    for planted in 0 1; do
                        printf '%s\0' "$file" "$isa" "$cc" "$level" "$planted"
                    done
                done
            done | if [ "${EVERY:-0}" = 1 ]; then
                cat
            else # of eight pairs, one in turn
                tail -z -n +$((n * 3 % 8 * 10 + 1)) | head -z -n 10
            fi
        done
        n=$((n + 1))
    done
}

[ $# -gt 0 ] || set -- "$folder"/*.c
results=$(jobs "$@" | xargs -0 -r -n 20 -P "${HWC_JOBS:-$(nproc)}" "$0" --these)
grep -v '^ok ' <<<"$results"
passed=$(awk '/^ok / { n += $2 } END { print n + 0 }' <<<"$results")
failed=$(grep -c '^FAILED ' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
