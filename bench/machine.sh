#!/usr/bin/env bash
# Measures machine code under QEMU: thread runs a second, the cost of an
# execution beside that of the source (under sc, and under the models of the
# machines), and the time from start to verdict.
#
#   bench/machine.sh [--hwcheck=BINARY] [--seconds=S] [--repeat=N] [ISA]...
#
# Each figure is the best of N (default 3): other work on the machine only
# makes it worse.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
hwcheck=$root/build/hwcheck
seconds=2
repeat=3
isas=()
for arg in "$@"; do
    case $arg in
    --hwcheck=*) hwcheck=${arg#*=} ;;
    --seconds=*) seconds=${arg#*=} ;;
    --repeat=*) repeat=${arg#*=} ;;
    -*)
        sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
        [ "$arg" = --help ] && exit 0
        exit 2
        ;;
    *) isas+=("$arg") ;;
    esac
done
[ ${#isas[@]} -gt 0 ] || isas=(x86_64 aarch64 ppc64le ppc64 riscv64)
bench=$(dirname "$hwcheck")/hwc_bench
warm=$(dirname "$hwcheck")/hwc_warm
for binary in "$hwcheck" "$bench" "$warm"; do
    [ -x "$binary" ] || { echo "no binary '$binary'" >&2; exit 2; }
done

# The least (or with -r the greatest) of what the command prints, N times.
best() { # [-r] <command>...
    local order=
    if [ "$1" = -r ]; then order=r && shift; fi
    for ((i = 0; i < repeat; i++)); do "$@"; done | sort "-g$order" | head -n 1
}

# By second of processor time on one core: runs, answers, QEMU's starts.
runs() { # <isa>
    taskset -c 0 "$bench" "$1" "$root/bench/programs/mp.c" "$seconds" |
        sed 's/.*second, \([0-9]*\) by.*answers: [0-9]*, \([0-9]*\).*: \(.*\)/\1 \2 \3/'
}
echo "thread runs by second of processor time (hwcheck and QEMU on one core)"
printf '%-10s %10s %10s %12s\n' isa runs answers 'QEMU starts'
for isa in "${isas[@]}"; do
    read -r n answers starts <<<"$(best -r runs "$isa")"
    printf '%-10s %10s %10s %12s\n' "$isa" "$n" "$answers" "$starts"
done

# Microseconds of exploration by execution, complete or blocked: of an
# exploration whose paths are all known, or (first) of the first one, without
# the time in which the program's own code runs. A machine is an ISA, or one
# with a flag of the compiler behind it: aarch64-march=armv8.1-a.
cost() { # <warm or first> <model or ''> <machine or ''> <program> <flag>
    local arch=${3%%-*} flag=${3#"${3%%-*}"}
    "$warm" "$([ "$1" = first ] && echo 0 || echo 0.2)" ${2:+"--model=$2"} \
        ${arch:+"--arch=$arch"} "$root/tests/programs/$4" -- "$5" ${flag:+"$flag"} \
        </dev/null |
        awk -v column="$([ "$1" = first ] && echo 2 || echo 3)" \
            '{ print $column }'
}
# A row for each benchmark on standard input: the source, then each machine and
# its ratio to it; microseconds by execution, or executions by second.
rows() { # <warm or first> <model or ''> <time or rate> <machine>...
    local way=$1 model=$2 unit=$3 name program flag source us
    shift 3
    printf '%-16s %8s' benchmark source
    printf ' %16s' "$@"
    echo
    while read -r name program flag; do
        source=$(best cost "$way" "$model" '' "$program" "$flag")
        for isa in '' "$@"; do
            us=$source
            [ -z "$isa" ] ||
                us=$(best cost "$way" "$model" "$isa" "$program" "$flag")
            awk -v name="$name" -v isa="$isa" -v a="$us" -v b="$source" \
                -v rate="$([ "$unit" = time ] || echo 1)" 'BEGIN {
                    number = rate ? sprintf("%8.0f", 1e6 / a) : sprintf("%8.2f", a)
                    if (isa == "") printf "%-16s %s", name, number
                    else printf " %s (%5.2f)", number, rate ? b / a : a / b }'
        done
        echo
    done
}
echo
echo "microseconds by execution under sc, all paths known; ratio to the source"
rows warm sc time "${isas[@]}" <<'TABLE'
fib_bench(5) counts/fib_bench.c -DN=5
lastzero(15) counts/lastzero.c -DN=15
casrot(11) counts/casrot.c -DN=11
treiber(3) real/treiber.c -DN=3
ms_queue(4) real/ms_queue.c -DN=4
TABLE

# Each machine under its own model, the source under rc11; of AArch64 also the
# code with atomic instructions, whose compare-and-swaps may fail.
machines=("${isas[@]}")
case " ${isas[*]} " in *' aarch64 '*) machines+=(aarch64-march=armv8.1-a) ;; esac
structures='treiber(3) real/treiber.c -DN=3
ms_queue(3) real/ms_queue.c -DN=3
ms_queue(4) real/ms_queue.c -DN=4
chase_lev(3) real/chase_lev.c -DITEMS=3
chase_lev(2,2) real/chase_lev.c -DTHIEVES=2
mcs(3) real/mcs.c -DTHREADS=3
mcs(4) real/mcs.c -DTHREADS=4
mcs(5) real/mcs.c -DTHREADS=5
ticket(4) real/ticket.c -DTHREADS=4
ticket(6) real/ticket.c -DTHREADS=6
seqlock(6) real/seqlock.c -DWRITES=6'
echo
echo "executions by second under each machine's model, all paths known; ratio"
echo "to the source under rc11"
rows warm '' rate "${machines[@]}" <<<"$structures"
echo
echo "the same of the first exploration, the time in which the program's code"
echo "runs left out"
rows first '' rate "${machines[@]}" <<<"$structures"

# Milliseconds, wall and processor, of a whole check, compilation included.
TIMEFORMAT='%R %U %S'
whole() { # <isa>
    { time "$hwcheck" explore --arch="$1" "$root/bench/programs/mp.c" \
        >/dev/null 2>&1 </dev/null; } 2>&1 |
        awk '{ printf "%.0f %.0f\n", $1 * 1000, ($2 + $3) * 1000 }'
}
echo
echo "milliseconds from start to verdict for message passing"
printf '%-10s %6s %10s\n' isa wall processor
for isa in "${isas[@]}"; do
    read -r wall cpu <<<"$(best whole "$isa")"
    printf '%-10s %6s %10s\n' "$isa" "$wall" "$cpu"
done
