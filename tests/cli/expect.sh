#!/usr/bin/env bash
# Holds hwcheck against what programs say of themselves. In the head of a
# program a line
#
#   // expect: model=rc11 executions=3 blocked=0 verdict=SOUND flags=-DN=4
#
# is one expectation: hwcheck is run with the model and the flags (separated by
# commas), and each word is compared:
#
#   model=M         --model=M, rc11 if not given
#   flags=A,B       what follows -- on the command line
#   options=A,B     further options of hwcheck
#   mapping=M       the machine code by this mapping (a file beside the program,
#                   if it ends in .map) is checked against the source
#   map=T1=M,T2=N   the same with mappings of single threads
#   arch=ISA        on this machine
#   verdict=V       SOUND, VIOLATION, MISCOMPILED or INCONCLUSIVE; the exit code
#                   must fit
#   executions=N    complete executions
#   blocked=N       blocked ones
#   outcomes=N      distinct outcomes
#   kind=K          of the first violation, with - for spaces
#   at=MARK         the line of that violation (or of the first warning) has
#                   the comment `// <- MARK`
#   gap=G           BOUNDED, TIMEOUT or UNMODELLED
#   warnings=N      how many warnings
#   exit=N          the exit code
#   slow, bench     tags: run with --slow, with --bench only
#
#   HWCHECK=<binary> tests/cli/expect.sh [--slow] [--bench] [--only=WORD] FILE|DIR...
#
# HWC_FAST=1 takes one expectation a file, of rc11 or of a mapping if there is
# one; so it is by default with the slow binaries of build/asan and build/tsan.
# Prints a line for each that is not met, then "N passed, N failed".
set -u
: "${HWCHECK:?the binary to test}"
[ -x "$HWCHECK" ] || { echo "no binary at $HWCHECK" >&2; exit 2; }
case $HWCHECK in */asan/* | */tsan/*) : "${HWC_FAST:=1}" ;; esac

exit_of() { # <verdict>
    case $1 in
    SOUND) want=0 ;;
    VIOLATION | MISCOMPILED) want=1 ;;
    INCONCLUSIVE) want=3 ;;
    *) want=2 ;;
    esac
}

# Reads a report, whatever came on stderr, and `exit=N` in the end; prints what
# is not as `checks` says. cJSON indents by tabs, so the depth of a key tells
# whose it is.
# shellcheck disable=SC2016 # the dollars are awk's
compare='
    function value(s) {
        sub(/^[^:]*:\t/, "", s); sub(/,$/, "", s); gsub(/^"|"$/, "", s)
        return s
    }
    /^exit=/ { got["exit"] = substr($0, 6); next }
    /^[^\t{}]/ && length(said) < 300 { said = said " " $0 }
    /^\t\t\t"/ { section = $1 }
    /^\t\t\t"(verdict|gap|executions|blocked|reason)":/ {
        key = $1; gsub(/[":]/, "", key); got[key] = value($0)
    }
    section == "\"outcomes\":" && /^\t\t\t\t\t"values":/ { got["outcomes"]++ }
    section == "\"warnings\":" && /^\t\t\t\t\t"text":/ { got["warnings"]++ }
    (section == "\"violations\":" || section == "\"warnings\":") &&
    /^\t\t\t\t\t"(kind|line)":/ {
        key = $1; gsub(/[":]/, "", key)
        if (!(key in got)) { got[key] = value($0); gsub(/ /, "-", got[key]) }
    }
    BEGIN { got["outcomes"] = got["warnings"] = 0 }
    END {
        n = split(checks, check, " ")
        for (i = 1; i <= n; i++) {
            key = want = check[i]; sub(/=.*/, "", key); sub(/^[^=]*=/, "", want)
            if (!(key in got) || got[key] != want)
                wrong = wrong " " key "=" got[key] " instead of " want ";"
        }
        if (wrong == "") print "ok"
        else print "FAILED " name ": " words ":" wrong " " got["reason"] said
    }'

# One expectation; prints a line, "ok" if all is well.
one() { # <file> <words>
    local file=$1 model= word key want line checks='' command=explore
    local -a flags=() options=() maps=() words=()
    for word in $2; do
        key=${word%%=*} want=${word#*=}
        case $key in
        model) model=$want ;;
        flags) IFS=, read -ra flags <<<"$want" ;;
        options) IFS=, read -ra words <<<"$want" && options+=("${words[@]}") ;;
        mapping)
            command=check
            case $want in *.map) want=$(dirname "$file")/$want ;; esac
            options+=("--mapping=$want")
            ;;
        arch) options+=("--$word") ;;
        map)
            command=check
            IFS=, read -ra maps <<<"$want"
            for word in "${maps[@]}"; do options+=("--map=$word"); done
            ;;
        verdict)
            exit_of "$want"
            checks+=" $word exit=$want"
            ;;
        at)
            line=$(grep -n "// <- $want\$" "$file" | cut -d: -f1)
            checks+=" line=${line:-marker-missing}"
            ;;
        slow | bench) ;;
        *) checks+=" $word" ;;
        esac
    done
    if [ $command = explore ]; then
        options+=("--model=${model:-rc11}")
    elif [ -n "$model" ]; then
        options+=("--source-model=$model")
    fi
    {
        timeout "${HWC_TIMEOUT:-100}" "$HWCHECK" $command --json \
            ${options[@]+"${options[@]}"} "$file" -- \
            ${flags[@]+"${flags[@]}"} </dev/null 2>&1
        echo "exit=$?"
    } | LC_ALL=C awk -v checks="$checks" -v name="${file#"${SRC:-}/"}" \
        -v words="$2" "$compare"
}

if [ "${1:-}" = --these ]; then
    shift
    while [ $# -ge 2 ]; do
        one "$1" "$2"
        shift 2
    done
    exit
fi

tags=
only=
while [ $# -gt 0 ]; do
    case $1 in
    --slow) tags+=' slow' ;;
    --bench) tags+=' slow bench' ;;
    --only=*) only=${1#*=} ;;
    *) break ;;
    esac
    shift
done

# Prints `file NUL words NUL` for each expectation wanted.
jobs() { # <file|dir>...
    local file words
    find "$@" -name '*.c' | LC_ALL=C sort | while read -r file; do
        sed -n 's,^// expect: ,,p' "$file" | while read -r words; do
            case " $words " in *' slow '*) [[ $tags == *slow* ]] || continue ;; esac
            case " $words " in *' bench '*) [[ $tags == *bench* ]] || continue ;; esac
            [ -z "$only" ] || [[ " $words " == *" $only "* ]] || continue
            echo "$words"
        done | if [ "${HWC_FAST:-0}" = 1 ]; then
            awk '/model=rc11|mapping=/ && !fit { one = $0; fit = 1 }
                 NR == 1 && !fit { one = $0 }
                 END { if (NR) print one }'
        else
            cat
        fi | while read -r words; do
            printf '%s\0%s\0' "$file" "$words"
        done
    done
}

results=$(jobs "$@" | xargs -0 -r -n 8 -P "${HWC_JOBS:-$(nproc)}" "$0" --these)
grep -v '^ok$' <<<"$results"
passed=$(grep -c '^ok$' <<<"$results")
failed=$(grep -c '^FAILED ' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
