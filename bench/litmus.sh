#!/usr/bin/env bash
# Measures litmus tests, many in one call, and prints a table; beside it herd7,
# if it is in PATH.
#
#   bench/litmus.sh [--rows=REGEX] [--hwcheck=BINARY] [--timeout=S]
#
# Rows: the folders of tests/litmus, those of $LITMUS (default: ../shared/litmus)
# if there are any, and generated tests with 6 threads or 20 accesses and more:
#   ring(N)-isa    N threads, each writes one location and reads the next
#   chain(N)-isa   a message passed through N threads, with dependencies
#   writers(N)-isa 2 threads of N/2 accesses each to two locations
#
# seconds is the whole run by the wall clock; cpu is the processor's time of it.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
hwcheck=$root/build/hwcheck
suites=${LITMUS:-$root/../shared/litmus}
rows=.
limit=120

for arg in "$@"; do
    case $arg in
    --rows=*) rows=${arg#*=} ;;
    --hwcheck=*) hwcheck=${arg#*=} ;;
    --timeout=*) limit=${arg#*=} ;;
    *)
        sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//'
        [ "$arg" = --help ] && exit 0
        exit 2
        ;;
    esac
done
[ -x "$hwcheck" ] || { echo "no binary '$hwcheck'; run ./run first" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# ---- generated tests: columns of instructions, one file a thread

# Instructions of an ISA; location i is in base register i.
store() { # <isa> <location> <value>
    case $1 in
    aarch64) printf 'MOV W20,#%s\nSTR W20,[X%s]\n' "$3" $((10 + $2)) ;;
    ppc) printf 'li r5,%s\nstw r5,0(r%s)\n' "$3" $((10 + $2)) ;;
    x86_64) printf 'movl $%s,(v%s)\n' "$3" "$2" ;;
    esac
}
load() { # <isa> <location> <register>
    case $1 in
    aarch64) printf 'LDR W%s,[X%s]\n' "$3" $((10 + $2)) ;;
    ppc) printf 'lwz r%s,0(r%s)\n' $((25 + $3)) $((10 + $2)) ;;
    x86_64) printf 'movl (v%s),%%r%sd\n' "$2" $((8 + $3)) ;;
    esac
}
forward() { # <isa> <from> <to>: reads one, writes the next with a dependency
    load "$1" "$2" 0
    case $1 in
    aarch64) printf 'EOR W1,W0,W0\nADD W1,W1,#1\nSTR W1,[X%s]\n' $((10 + $3)) ;;
    ppc) printf 'xor r26,r25,r25\naddi r26,r26,1\nstw r26,0(r%s)\n' $((10 + $3)) ;;
    x86_64) printf 'movl $1,(v%s)\n' "$3" ;;
    esac
}
register() { # <isa> <register>
    case $1 in
    aarch64) echo "X$2" ;;
    ppc) echo "r$((25 + $2))" ;;
    x86_64) echo "r$((8 + $2))" ;;
    esac
}

# Puts columns $tmp/P<i> together.
write_test() { # <isa> <name> <threads> <locations> <condition>
    local isa=$1 name=$2 n=$3 locs=$4 t l arch=X86_64
    [ "$isa" = aarch64 ] && arch=AArch64
    [ "$isa" = ppc ] && arch=PPC
    echo "$arch $name"
    echo '{'
    for ((t = 0; t < n && ${#arch} != 6; t++)); do
        for ((l = 0; l < locs; l++)); do
            echo "$t:$([ "$isa" = ppc ] && echo r || echo X)$((10 + l))=v$l;"
        done
    done
    echo '}'
    for ((t = 0; t < n; t++)); do
        { echo "P$t"; cat "$tmp/P$t"; } >"$tmp/column$t"
    done
    # shellcheck disable=SC2046
    paste -d'|' $(for ((t = 0; t < n; t++)); do echo "$tmp/column$t"; done) |
        sed 's/$/ ;/'
    echo "$5"
}

ring() { # <isa> <threads>
    local t and='' condition=''
    for ((t = 0; t < $2; t++)); do
        { store "$1" "$t" 1; load "$1" $(((t + 1) % $2)) 0; } >"$tmp/P$t"
        condition+="$and$t:$(register "$1" 0)=0"
        and=' /\ '
    done
    write_test "$1" "ring$2" "$2" "$2" "exists ($condition)"
}

chain() { # <isa> <threads>
    local t
    { store "$1" 0 1; store "$1" 1 1; } >"$tmp/P0"
    for ((t = 1; t < $2 - 1; t++)); do
        forward "$1" "$t" $((t + 1)) >"$tmp/P$t"
    done
    { load "$1" "$t" 0; load "$1" 0 1; } >"$tmp/P$t"
    write_test "$1" "chain$2" "$2" "$2" \
        "exists ($t:$(register "$1" 0)=1 /\\ $t:$(register "$1" 1)=0)"
}

writers() { # <isa> <accesses>
    local t i
    for t in 0 1; do
        for ((i = 0; i < $2 / 2; i++)); do
            if ((i % 3 == 2)); then
                load "$1" $((1 - t)) $((i / 3 % 4))
            else
                store "$1" "$t" $((i + 1))
            fi
        done >"$tmp/P$t"
    done
    write_test "$1" "writers$2" 2 2 "exists (v0=1 /\\ v1=1)"
}

# ---- measuring

# Sets tests, wall, cpu.
measure() { # <command>...
    local TIMEFORMAT='%R %U %S'
    { time timeout "$limit" "$@" >"$tmp/log" 2>"$tmp/err" </dev/null; } 2>"$tmp/time"
    read -r wall user system <"$tmp/time"
    cpu=$(awk -v a="$user" -v b="$system" 'BEGIN { printf "%.2f", a + b }')
    tests=$(grep -c '^Test ' "$tmp/log")
    executions=$(awk '/^Positive/ { n += $2 + $4 } END { print n + 0 }' "$tmp/log")
}

row() { # <name> <option or ''> <file>...
    local name=$1 option=$2 own
    shift 2
    [[ $name =~ $rows ]] || return
    measure "$hwcheck" litmus ${option:+"$option"} "$@"
    own=$wall
    printf '%-20s %6s %10s %9s %9s %9s' "$name" "$tests" "$executions" "$own" "$cpu" \
        "$(awk -v s="$own" -v n="$tests" 'BEGIN { if (n) printf "%.1f", s * 1000 / n; else print "-" }')"
    if command -v herd7 >/dev/null; then
        measure herd7 "$@"
        printf ' %9s %9s' "$wall" \
            "$(awk -v a="$wall" -v b="$own" 'BEGIN { printf "%.1f", a / b }')"
    fi
    echo
}

printf '%-20s %6s %10s %9s %9s %9s' litmus tests executions seconds cpu ms/test
command -v herd7 >/dev/null && printf ' %9s %9s' 'herd7 s' ratio
echo
for folder in "$root"/tests/litmus/*/; do
    name=$(basename "$folder")
    row "own $name" '' "$folder@all"
done
for name in x86_64 ppc aarch64 c; do
    [ -f "$suites/$name/@all" ] || continue
    option=
    [ "$name" = c ] && option=--model=rc11-paper
    row "suite $name" "$option" "$suites/$name/@all"
done
[ -f "$suites/ppc/@all" ] && row 'all suites' '' "$suites"/*/@all
for isa in x86_64 ppc aarch64; do
    for spec in 'ring 6' 'ring 8' 'chain 6' 'chain 8' 'writers 20' 'writers 24'; do
        read -r shape n <<<"$spec"
        "$shape" "$isa" "$n" >"$tmp/$shape$n.litmus"
        row "$shape($n)-$isa" '' "$tmp/$shape$n.litmus"
    done
done
