#!/usr/bin/env bash
# tidy_test.sh <clang-tidy>: the rooms that include no torch pass .clang-tidy. The others would take
# ten seconds a file, most of it in torch's headers.
set -euo pipefail
tool=$1
if ! "$tool" --version >/dev/null 2>&1; then
  echo "skipped: clang-tidy is not here (apt-get install clang-tidy-14)"
  exit 77
fi
if [[ ! -e $BUILD/compile_commands.json ]]; then
  echo "skipped: $BUILD/compile_commands.json is not there; use a preset, or Ninja or Makefiles"
  exit 77
fi
# Without GCC's precompiled headers, which clang refuses; so each file must include what it uses.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
sed -E 's/ -include [^ "]*cmake_pch\.hxx//g' "$BUILD/compile_commands.json" \
  >"$database/compile_commands.json"
find harness/{core,exec,device,facade,worker,profile,verify,report} -name '*.cpp' -print0 |
  xargs -0 -n 4 -P 2 "$tool" --quiet -p "$database" --warnings-as-errors='*'
