# For tests of the command line: runs hwcheck in a folder that goes away, and
# complains about what is not as expected. Ends a test with `finish`.
: "${HWCHECK:?}" "${SRC:?}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
n_failed=0

complain() { # <what is wrong>
    echo "FAILED: $1"
    echo "  command: hwcheck ${last[*]}"
    sed 's/^/  stdout: /' out | head -n 20
    sed 's/^/  stderr: /' err | head -n 20
    n_failed=$((n_failed + 1))
}

# Runs hwcheck with the arguments; streams go to out and err.
run() { # <expected exit code> <argument>...
    local want=$1 got
    shift
    last=("$@")
    "$HWCHECK" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] || complain "exit code $got, expected $want"
}

out_has() { grep -qE -e "$1" out || complain "stdout lacks '$1'"; }
out_lacks() { ! grep -qE -e "$1" out || complain "stdout has '$1'"; }
err_has() { grep -qE -e "$1" err || complain "stderr lacks '$1'"; }
out_empty() { [ ! -s out ] || complain "stdout is not empty"; }
err_empty() { [ ! -s err ] || complain "stderr is not empty"; }

finish() {
    [ "$n_failed" = 0 ] && echo "all checks passed" && exit 0
    echo "$n_failed checks failed"
    exit 1
}
