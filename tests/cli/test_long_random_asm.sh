#!/usr/bin/env bash
# Random machine code through the whole pipeline against brute force.
#   HWCHECK=<binary> tests/cli/test_long_random_asm.sh [programs per ISA [seed]]
set -u
: "${HWCHECK:?the binary to test}"
exec "$(dirname "$HWCHECK")/tests/test_random_asm" "${1:-2000}" "${2:-2026}"
