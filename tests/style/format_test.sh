#!/usr/bin/env bash
# format_test.sh <clang-format>: every C++ file is as clang-format 14 leaves it.
set -euo pipefail
tool=$1
if ! "$tool" --version 2>/dev/null | grep -q ' version 14\.'; then
  echo "skipped: clang-format 14 is not here (apt-get install clang-format-14)"
  exit 77
fi
find harness tasks kernels benchmarks tests -name '*.[ch]pp' -print0 -o -name '*.h' -print0 -o \
  -name '*.cu' -print0 | xargs -0 "$tool" --dry-run --Werror
