#!/usr/bin/env bash
# docs/ALGORITHM.md names files, functions and tests, and others name its rules:
# fails when one of them is not there. Run from the root.
doc=docs/ALGORITHM.md
rc=0

fail() {
    printf '%s\n' "$1"
    rc=1
}

# Each `- Code` and `- Tests` line: files in backticks, each followed by what is
# defined in it: in C at the begin of a line.
check_names() {
    local line name file=
    while IFS= read -r line; do
        while IFS= read -r name; do
            if [[ $name == */* ]]; then
                file=$name
                [ -e "$file" ] || fail "$doc: no file $file"
            elif ! grep -qsE "^[a-z].*\b$name\(" "$file"; then
                fail "$doc: no $name in $file"
            fi
        done < <(grep -oE '`[^`]+`' <<<"$line" | tr -d '`')
    done < <(grep -E '^- (Code|Tests)' $doc)
}

# Any other file that the text names.
check_files() {
    local name
    while IFS= read -r name; do
        [ -e "$name" ] || fail "$doc: no file $name"
    done < <(grep -oE '\b(core|models|tests|hw|frontend|docs)/[A-Za-z0-9_./-]*[A-Za-z0-9]' \
        $doc | sort -u)
}

rules=$(grep -oE '^\*\*[A-Z][0-9]+ ' $doc | tr -d '* ' | sort)
check_rules() { # <where> <text>
    local rule
    for rule in $(grep -oE '\b[A-Z][0-9]+\b' <<<"$2" | sort -u); do
        grep -qx "$rule" <<<"$rules" || fail "$1: no rule $rule in $doc"
    done
}

check_names
check_files
twice=$(uniq -d <<<"$rules")
[ -z "$twice" ] || fail "$doc: twice: $twice"
[ "$(wc -l <<<"$rules")" -ge 40 ] || fail "$doc: hardly any rules"
check_rules $doc "$(sed 's/`[^`]*`//g' $doc)"
check_rules docs/SOUNDNESS.md "$(grep -oE '\([A-Z][0-9]+(, [A-Z][0-9]+)*\)' \
    docs/SOUNDNESS.md)"
references='(ALGORITHM\.md,|\brules?) [A-Z][0-9]+((,| to| and) [A-Z][0-9]+)*'
while IFS=: read -r file line text; do
    check_rules "$file:$line" "$text"
done < <(grep -rnoE --include='*.[ch]' --include='*.cat' --include='*.md' \
    --include='*.sh' "$references" core models hw frontend tests docs README.md)
dangling=$(grep -rn --include='*.[ch]' --include='*.cat' 'ALGORITHMS' \
    core models hw frontend)
[ -z "$dangling" ] || fail "$dangling"
exit $rc
