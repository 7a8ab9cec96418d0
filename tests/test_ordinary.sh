#!/usr/bin/env bash
# Ordinary programs with one compiler and level a target (tests/ordinary.sh).
#   HWCHECK=<binary> SRC=<project root> tests/test_ordinary.sh
: "${HWCHECK:?}" "${SRC:?}"
exec "$SRC/tests/ordinary.sh"
