#!/usr/bin/env bash
# The verdicts that the litmus tests of a folder expect: in a file a line
# `Expect=model:Allowed|Always|Forbidden|Race|Undef ...`; Allowed may be Always.
#   HWCHECK=<binary> tests/cli/litmus.sh FOLDER...
set -u
: "${HWCHECK:?}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n_failed=0

complain() {
    echo "FAILED: $1"
    n_failed=$((n_failed + 1))
}

# "name verdict" of each test of a log, as after Expect=.
verdicts() { # <log>
    awk '/^Test / { race = undef = 0 }
         /^Flag / { race = 1 }
         /^(Loop )?Undef$/ { undef = 1 }
         /^Observation / {
             verdict = $3 == "Never" ? "Forbidden" : $3 == "Always" ? "Always" : "Allowed"
             print $2, race ? "Race" : undef ? "Undef" : verdict
         }' "$1"
}

# Each folder under each model that its tests speak of, in one call.
expectations() { # <folder>
    local folder=$1 model
    for model in $(sed -n 's/^Expect=//p' "$folder"/*.litmus | tr ' ' '\n' |
        cut -d: -f1 | sort -u); do
        grep -lE "^Expect=.*\b$model:" "$folder"/*.litmus |
            sed 's,.*/,,' >"$tmp/names"
        sed "s,^,$folder/," "$tmp/names" >"$tmp/list"
        "$HWCHECK" litmus --model="$model" "@$tmp/list" >"$tmp/log" 2>"$tmp/err" </dev/null
        case $? in
        0) ;;
        3) grep -qE "^Expect=.*$model:Undef" "$folder"/*.litmus ;;
        *) false ;;
        esac || complain "$folder under $model: $(head -c 300 "$tmp/err")"
        while read -r name; do
            sed -n "s/^Expect=\(.* \)\?$model:\([A-Za-z]*\).*/${name%.litmus} \2/p" \
                "$folder/$name"
        done <"$tmp/names" | sort >"$tmp/want"
        verdicts "$tmp/log" | sort |
            awk 'NR == FNR { want[$1] = $2; next }
                 $2 == "Always" && want[$1] == "Allowed" { $2 = "Allowed" }
                 { print }' "$tmp/want" - >"$tmp/got"
        diff "$tmp/want" "$tmp/got" >"$tmp/diff" ||
            complain "$folder under $model (< expected, > got):
$(grep '^[<>]' "$tmp/diff")"
        echo "$(basename "$folder") under $model: $(wc -l <"$tmp/want") verdicts"
    done
}

for folder in "$@"; do
    expectations "${folder%/}"
done
[ "$n_failed" = 0 ] && echo "all good"
exit $((n_failed > 0))
