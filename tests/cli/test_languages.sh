#!/usr/bin/env bash
# Programs that stand for Java, OCaml and Linux kernel ones.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_languages.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/cli/expect.sh" "$SRC/tests/programs/java" \
    "$SRC/tests/programs/linux" "$SRC/tests/programs/ocaml"
