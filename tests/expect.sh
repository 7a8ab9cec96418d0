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
#   verdict=V       SOUND, VIOLATION or INCONCLUSIVE; the exit code must fit
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
#   HWCHECK=<binary> tests/expect.sh [--slow] [--bench] [--only=WORD] FILE|DIR...
#
# HWC_FAST=1 (for builds with sanitizers) takes one expectation of rc11 a file.
# Prints a line for each that is not met, then "N passed, N failed".
set -u
: "${HWCHECK:?the binary to test}"
[ -x "$HWCHECK" ] || { echo "no binary at $HWCHECK" >&2; exit 2; }

# The values of a report that expectations are about, one `key=value` a line.
# cJSON indents by tabs, so the depth of a key tells whose it is.
digest() { # <file>
    awk '
        function value(s) {
            sub(/^[^:]*:\t/, "", s); sub(/,$/, "", s)
            gsub(/^"|"$/, "", s); return s
        }
        /^\t"/ { section = $1 }
        /^\t"(verdict|gap|executions|blocked|reason|gap_text)":/ {
            key = $1; gsub(/[":]/, "", key); print key "=" value($0)
        }
        section == "\"outcomes\":" && /^\t\t\t"values":/ { outcomes++ }
        section == "\"warnings\":" && /^\t\t\t"text":/ { warnings++ }
        (section == "\"violations\":" || section == "\"warnings\":") &&
        /^\t\t\t"(kind|line)":/ {
            key = $1; gsub(/[":]/, "", key)
            if (!(key in seen)) {
                seen[key] = 1; v = value($0)
                if (key == "kind") gsub(/ /, "-", v)
                print key "=" v
            }
        }
        END {
            print "outcomes=" outcomes + 0; print "warnings=" warnings + 0
        }' "$1"
}

exit_of() { # <verdict>
    case $1 in
    SOUND) echo 0 ;;
    VIOLATION) echo 1 ;;
    INCONCLUSIVE) echo 3 ;;
    *) echo 2 ;;
    esac
}

# One expectation; prints what is wrong in a line, nothing if all is well.
one() { # <file> <words>
    local file=$1 model=rc11 word key want got line rc wrong='' tmp
    local -a flags=() options=() checks=()
    for word in $2; do
        key=${word%%=*} want=${word#*=}
        case $key in
        model) model=$want ;;
        flags) IFS=, read -ra flags <<<"$want" ;;
        options) IFS=, read -ra options <<<"$want" ;;
        verdict) checks+=("$word" "exit=$(exit_of "$want")") ;;
        at)
            line=$(grep -n "// <- $want\$" "$file" | cut -d: -f1)
            checks+=("line=${line:-marker-missing}")
            ;;
        slow | bench) ;;
        *) checks+=("$word") ;;
        esac
    done
    tmp=$(mktemp -d)
    timeout "${HWC_TIMEOUT:-100}" "$HWCHECK" explore --json --model="$model" \
        ${options[@]+"${options[@]}"} "$file" -- \
        ${flags[@]+"${flags[@]}"} >"$tmp/out" 2>"$tmp/err" </dev/null
    rc=$?
    { echo "exit=$rc"; digest "$tmp/out"; } >"$tmp/digest"
    for word in "${checks[@]}"; do
        key=${word%%=*}
        got=$(grep -m1 "^$key=" "$tmp/digest")
        [ "$got" = "$word" ] || wrong+=" $key=${got#*=} instead of ${word#*=};"
    done
    if [ -n "$wrong" ]; then
        echo "FAILED ${file#"${SRC:-}/"}: $2:$wrong" \
            "$(grep -m1 '^reason=' "$tmp/digest")" "$(head -c 300 "$tmp/err")"
    else
        echo ok
    fi
    rm -rf "$tmp"
}

if [ "${1:-}" = --one ]; then
    one "$2" "$3"
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
    local file words n
    find "$@" -name '*.c' | LC_ALL=C sort | while read -r file; do
        n=0
        sed -n 's,^// expect: ,,p' "$file" | while read -r words; do
            case " $words " in *' slow '*) [[ $tags == *slow* ]] || continue ;; esac
            case " $words " in *' bench '*) [[ $tags == *bench* ]] || continue ;; esac
            [ -z "$only" ] || [[ " $words " == *" $only "* ]] || continue
            if [ "${HWC_FAST:-0}" = 1 ]; then
                [[ $words == *model=rc11* && $n = 0 ]] || continue
                n=1
            fi
            printf '%s\0%s\0' "$file" "$words"
        done
    done
}

results=$(jobs "$@" | xargs -0 -r -n 2 -P "${HWC_JOBS:-$(nproc)}" "$0" --one)
grep -v '^ok$' <<<"$results"
passed=$(grep -c '^ok$' <<<"$results")
failed=$(grep -c '^FAILED ' <<<"$results")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
