#!/usr/bin/env bash
# Input that no one should give: hwcheck answers with a message that names the
# place and with the right exit code; it neither crashes nor hangs.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_sturdy.sh [NAME...]
#
# tests/badinput/c/NAME.expected says what must come of NAME.c, and
# models/NAME.expected what must come of a sound program under models/NAME.cat:
#
#   exit 2          the exit code; 2|3 allows both
#   says REGEX      a line of stdout or stderr matches; several may be given
#   options ...     options of hwcheck
#   flags ...       what follows --
#   memory N        hwcheck itself takes at most N MB
#   # ...           a comment
set -u
: "${HWCHECK:?}" "${SRC:?}"
[ -x "$HWCHECK" ] || { echo "no binary at $HWCHECK" >&2; exit 2; }
limit_s=${HWC_TIMEOUT:-60}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

verdict() { # <name> <what is wrong, or nothing>
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1:$2"
        head -n 5 "$tmp/out" "$tmp/err" | cut -c 1-300 | sed 's/^/    /'
    fi
}

# Runs hwcheck as the .expected file says.
expect() { # <name> <file with expectations> <argument of hwcheck>...
    local name=$1 file=$2 wrong='' rc key rest want='' max=''
    local -a options=() flags=() says=()
    shift 2
    while read -r key rest; do
        case $key in
        exit) want=$rest ;;
        says) says+=("$rest") ;;
        options) read -ra options <<<"$rest" ;;
        flags) read -ra flags <<<"$rest" ;;
        memory) max=$rest ;;
        '#'* | '') ;;
        *) wrong+=" bad word '$key' in $file;" ;;
        esac
    done <"$file"
    rm -f "$tmp/json"
    # Both streams are kept short, so that a flood does not fill the disk.
    timeout -k 5 "$limit_s" "$HWCHECK" explore --json="$tmp/json" \
        ${options[@]+"${options[@]}"} "$@" -- \
        ${flags[@]+"${flags[@]}"} </dev/null 2>"$tmp/err" |
        head -c 1000000 >"$tmp/out"
    rc=${PIPESTATUS[0]}
    [[ "|$want|" == *"|$rc|"* ]] || wrong+=" exit code $rc, expected $want;"
    [ "$rc" != 124 ] || wrong+=" ran longer than $limit_s s;"
    for rest in ${says[@]+"${says[@]}"}; do
        cat "$tmp/out" "$tmp/err" | grep -qE -e "$rest" ||
            wrong+=" nothing says '$rest';"
    done
    [ "$rc" -lt 2 ] || [ -s "$tmp/err" ] || [ "$rc" = 3 ] ||
        wrong+=" no message on stderr;"
    if [ -n "$max" ] && [ -s "$tmp/json" ] && [ "${HWC_FAST:-0}" != 1 ]; then
        rest=$(sed -n 's/^\t\t\t"peak_bytes":\t\([0-9]*\).*/\1/p' "$tmp/json")
        [ "${rest:-0}" -le $((max * 1000000)) ] ||
            wrong+=" took $rest bytes, at most $max MB allowed;"
    fi
    verdict "$name" "$wrong"
}

wanted() { # <name> [NAME...]: is it among those asked for?
    local name=$1
    shift
    [ $# = 0 ] || [[ " $* " == *" $name "* ]]
}

bad=$SRC/tests/badinput/c
for file in "$bad"/*.expected; do
    name=$(basename "$file" .expected)
    wanted "$name" "$@" && expect "$name" "$file" "$bad/$name.c"
done
for file in "$bad"/models/*.expected; do
    name=$(basename "$file" .expected)
    wanted "$name" "$@" && expect "models/$name" "$file" \
        --model="$bad/models/$name.cat" "$bad/deep_struct.c"
done

# Too large to keep in the project.
awk 'BEGIN { printf "acyclic "; for (i = 0; i < 100000; i++) printf "(";
    printf "po"; for (i = 0; i < 100000; i++) printf ")";
    print " as order" }' >"$tmp/deep.cat"
printf 'exit 0|2\n' >"$tmp/deep.expected"
wanted deep "$@" && expect models/deep "$tmp/deep.expected" \
    --model="$tmp/deep.cat" "$bad/deep_struct.c"
awk 'BEGIN { print "int main(void)\n{\n    return"
    for (i = 0; i < 300; i++) printf "(";
    printf "0"; for (i = 0; i < 300; i++) printf ")";
    print ";\n}" }' >"$tmp/nested.c"
printf 'exit 2\nsays nested.c:4\n' >"$tmp/nested.expected"
wanted nested "$@" && expect nested "$tmp/nested.expected" "$tmp/nested.c"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
