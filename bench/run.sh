#!/usr/bin/env bash
# Measures hwcheck explore on the programs of tests/programs and prints a table.
#
#   bench/run.sh [--rows=REGEX] [--repeat=N] [--hwcheck=BINARY] [--timeout=S]
#                [--peer=COMMAND] [--csv] [--long]
#
# --rows     only the rows whose name matches
# --repeat   the best time of N runs (default 1)
# --peer     another checker beside it, and the ratio of the times. {model}
#            stands for the model's name; the flags and the program follow:
#            --peer='genmc --{model} --disable-estimation --disable-ipr --'
#            It must print "Number of complete executions explored: N".
# --long     also the rows that take minutes
# --csv      comma-separated values instead of the table
#
# seconds is the whole run by the wall clock, compilation included; us/exec is
# the time of the exploration alone by its executions, complete and blocked
# (where it took long enough to say).
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
hwcheck=$root/build/hwcheck
rows=.
repeat=1
peer=
csv=
long=
limit=600

for arg in "$@"; do
    case $arg in
    --rows=*) rows=${arg#*=} ;;
    --repeat=*) repeat=${arg#*=} ;;
    --hwcheck=*) hwcheck=${arg#*=} ;;
    --timeout=*) limit=${arg#*=} ;;
    --peer=*) peer=${arg#*=} ;;
    --csv) csv=1 ;;
    --long) long=1 ;;
    *)
        sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
        [ "$arg" = --help ] && exit 0
        exit 2
        ;;
    esac
done
[ -x "$hwcheck" ] || { echo "no binary '$hwcheck'; run ./run first" >&2; exit 2; }

# name (+: with --long only), program, model (@: machine code for that target
# under its own model), flags
table='
fib_bench(4)-sc      counts/fib_bench.c   sc    -DN=4
fib_bench(4)-ra      counts/fib_bench.c   rc11  -DN=4 -DRA
fib_bench(5)-sc      counts/fib_bench.c   sc    -DN=5
fib_bench(5)-psc     counts/fib_bench.c   rc11  -DN=5
fib_bench(5)-ra      counts/fib_bench.c   rc11  -DN=5 -DRA
fib_bench(5)-tso     counts/fib_bench.c   tso   -DN=5
only_sc-rc11         java/only_sc.c       rc11
only_sc-jam21        java/only_sc.c       jam21
fib_bench(5)-jam21   counts/fib_bench.c   jam21 -DN=5
fib_bench(5)-jam-ra  counts/fib_bench.c   jam21 -DN=5 -DRA
lastzero(11)         counts/lastzero.c    rc11  -DN=11
lastzero(15)         counts/lastzero.c    rc11  -DN=15
sigma(8)             counts/sigma.c       rc11  -DN=8
casrot(11)           counts/casrot.c      rc11  -DN=11
readers(15)          counts/readers.c     rc11  -DN=15
increments(8)        counts/increments.c  rc11  -DN=8
n_writers(8)         counts/n_writers.c   rc11  -DN=8
mutex_turns(8)       counts/mutex_turns.c rc11  -DN=8
treiber(3)           real/treiber.c       rc11  -DN=3
+treiber(4)          real/treiber.c       rc11  -DN=4
ms_queue(4)          real/ms_queue.c      rc11  -DN=4
chase_lev(3)         real/chase_lev.c     rc11  -DITEMS=3
mcs(4)               real/mcs.c           rc11  -DTHREADS=4
clh(5)               real/clh.c           rc11  -DTHREADS=5
ticket(6)            real/ticket.c        rc11  -DTHREADS=6
ttas(4)              real/ttas.c          rc11  -DTHREADS=4
spinlock(6)          real/spinlock.c      rc11  -DTHREADS=6
peterson(4)          real/peterson_sc.c   rc11  -DROUNDS=4
lamport_fast(3)      real/lamport_fast.c  rc11  -DTHREADS=3
bakery(3)            real/bakery.c        rc11  -DTHREADS=3
szymanski(3)         real/szymanski.c     rc11  -DROUNDS=3
dekker(3)            real/dekker.c        rc11  -DROUNDS=3
seqlock(6)           real/seqlock.c       rc11  -DWRITES=6
rwlock               real/rwlock.c        rc11
treiber(3)-arm       real/treiber.c       @aarch64  -DN=3
treiber(3)-power     real/treiber.c       @ppc64le  -DN=3
ms_queue(3)          real/ms_queue.c      rc11      -DN=3
ms_queue(3)-arm      real/ms_queue.c      @aarch64  -DN=3
ms_queue(3)-power    real/ms_queue.c      @ppc64le  -DN=3
chase_lev(3)-arm     real/chase_lev.c     @aarch64  -DITEMS=3
chase_lev(3)-power   real/chase_lev.c     @ppc64le  -DITEMS=3
mcs(3)-arm           real/mcs.c           @aarch64  -DTHREADS=3
mcs(3)-power         real/mcs.c           @ppc64le  -DTHREADS=3
ticket(4)-arm        real/ticket.c        @aarch64  -DTHREADS=4
ticket(4)-power      real/ticket.c        @ppc64le  -DTHREADS=4
ttas(3)-arm          real/ttas.c          @aarch64  -DTHREADS=3
ttas(3)-power        real/ttas.c          @ppc64le  -DTHREADS=3
SB-ring(14)          counts/rings.c       rc11      -DN=14
SB-ring(14)-x86      counts/rings.c       @x86_64   -DN=14
SB-ring(14)-arm      counts/rings.c       @aarch64  -DN=14
SB-ring(14)-power    counts/rings.c       @ppc64le  -DN=14
LB-ring(14)-arm      counts/rings.c       @aarch64  -DN=14 -DLB
LB-ring(14)-power    counts/rings.c       @ppc64le  -DN=14 -DLB
2+2W-ring(14)-arm    counts/rings.c       @aarch64  -DN=14 -DWRITES
2+2W-ring(14)-power  counts/rings.c       @ppc64le  -DN=14 -DWRITES
IRIW(7)-arm          counts/rings.c       @aarch64  -DN=7 -DREADERS
IRIW(7)-power        counts/rings.c       @ppc64le  -DN=7 -DREADERS
'

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Prints seconds since an arbitrary start.
now() { date +%s.%N; }

less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

# Runs hwcheck; sets verdict, executions, blocked, wall, inner, mb. The report is
# read as text: as JSON it would hold all outcomes, which takes its time.
measure() { # <program> <model> <flag>...
    local program=$1 option=--model=$2 best='' from to took
    [[ $2 != @* ]] || option=--arch=${2#@}
    shift 2
    for ((i = 0; i < repeat; i++)); do
        from=$(now)
        "$hwcheck" explore --verbose --outcomes=1 --no-color \
            --timeout="$limit" "$option" "$program" -- "$@" \
            >"$tmp/out" 2>"$tmp/err" </dev/null
        to=$(now)
        took=$(awk -v a="$from" -v b="$to" 'BEGIN { print b - a }')
        if [ -z "$best" ] || less "$took" "$best"; then
            best=$took
            cp "$tmp/out" "$tmp/report"
        fi
    done
    wall=$best
    verdict=$(sed -n 's/^INCONCLUSIVE (\([A-Z]*\)).*/\1/p; s/^\(SOUND\|VIOLATION\):.*/\1/p' \
        "$tmp/report" | head -n 1)
    executions=$(sed -n 's/^executions *\([0-9]*\) complete.*/\1/p' "$tmp/report")
    blocked=$(sed -n 's/^executions .* \([0-9]*\) blocked.*/\1/p' "$tmp/report")
    inner=$(sed -n 's/^time *\([0-9.]*\) s.*/\1/p' "$tmp/report")
    mb=$(sed -n 's/^memory *\([0-9]*\)[0-9.]* MB.*/\1/p' "$tmp/report")
}

# Runs the peer; sets peer_executions, peer_wall.
measure_peer() { # <program> <model> <flag>...
    local program=$1 model=$2 best='' from to took
    shift 2
    for ((i = 0; i < repeat; i++)); do
        from=$(now)
        # The words of the command are meant to be split.
        # shellcheck disable=SC2086
        timeout "$limit" ${peer//\{model\}/$model} "$@" "$program" \
            >"$tmp/peer" 2>&1
        to=$(now)
        took=$(awk -v a="$from" -v b="$to" 'BEGIN { print b - a }')
        if [ -z "$best" ] || less "$took" "$best"; then best=$took; fi
    done
    peer_wall=$best
    peer_executions=$(sed -n \
        's/.*Number of complete executions explored: *\([0-9]*\).*/\1/p' \
        "$tmp/peer" | head -n 1)
}

line() { # <column>...
    if [ -n "$csv" ]; then
        (IFS=,; echo "$*")
    elif [ -n "$peer" ]; then
        printf '%-19s %-9s %10s %9s %9s %9s %7s | %10s %9s %7s\n' "$@"
    else
        printf '%-19s %-9s %10s %9s %9s %9s %7s\n' "$@"
    fi
}

head=(benchmark verdict executions blocked seconds us/exec MB)
[ -z "$peer" ] || head+=("peer execs" "peer s" ratio)
line "${head[@]}"
while read -r name program model flags; do
    [[ -n $name && $name =~ $rows ]] || continue
    if [[ $name == +* ]]; then
        [ -n "$long" ] || continue
        name=${name#+}
    fi
    read -ra words <<<"$flags"
    measure "$root/tests/programs/$program" "$model" ${words[@]+"${words[@]}"}
    us=$(awk -v s="${inner:-0}" -v n="$((${executions:-0} + ${blocked:-0}))" \
        'BEGIN { if (n && s >= 0.05) printf "%.2f", s * 1e6 / n; else print "-" }')
    row=("$name" "${verdict:-failed}" "${executions:-?}" "${blocked:-?}"
        "$(printf %.2f "$wall")" "$us" "${mb:-?}")
    if [[ -n $peer && $model != @* ]]; then
        measure_peer "$root/tests/programs/$program" "$model" \
            ${words[@]+"${words[@]}"}
        row+=("${peer_executions:-?}" "$(printf %.2f "$peer_wall")"
            "$(awk -v a="$peer_wall" -v b="$wall" \
                'BEGIN { printf "%.2f", a / b }')")
    elif [ -n "$peer" ]; then
        row+=(- - -) # it checks source only
    fi
    line "${row[@]}"
done <<<"$table"
