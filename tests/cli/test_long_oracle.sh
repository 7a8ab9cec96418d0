#!/usr/bin/env bash
# The explorer against brute force on many random programs a model.
#   HWCHECK=<binary> tests/cli/test_long_oracle.sh [programs [seed]]
set -u
: "${HWCHECK:?the binary to test}"
exec "$(dirname "$HWCHECK")/tests/test_oracle" "${1:-5000}" "${2:-2026}"
