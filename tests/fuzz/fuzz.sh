#!/usr/bin/env bash
# Gives random bytes to the readers of what comes from outside, for some seconds each. A reader that
# crashes, hangs or throws what it does not promise fails; the input is kept beside the program.
#
# usage: tests/fuzz/fuzz.sh DIRECTORY SECONDS [READER...]
#
# The readers are the .cpp files here, and all if none is named. DIRECTORY gets the programs, and the
# inputs that reach new code. It begins with those of seeds/, and for what tools print with those of
# the readers' tests. Needs clang++ with libFuzzer.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "${1:?name a directory}"
directory=$(cd "$1" && pwd)
seconds=${2:?give the seconds of each reader}
shift 2
readers=("$@")
if [[ ${#readers[@]} == 0 ]]; then
  for file in "$here"/*.cpp; do readers+=("$(basename "$file" .cpp)"); done
fi
compiler=$(command -v clang++-14 || command -v clang++) || {
  echo "fuzz.sh: there is no clang++; install clang and libclang-rt-dev" >&2
  exit 77
}
# A record's count that somebody has set to 1e300 may be read as any integer.
flags=(-std=c++20 -O1 -gline-tables-only "-fsanitize=address,undefined" -fno-sanitize-recover=undefined
  -fno-sanitize=float-cast-overflow
  -I "$root/harness" -I "$root/harness/include" -DFMT_HEADER_ONLY
  '-DROBUST_KBENCH_VERSION="fuzzed"')

# Each room has one object of what the readers need. It is made anew only where a source has changed.
objects=()
compile_room() {
  local room=$1 object=$directory/$1.o
  shift
  objects+=("$object")
  [[ -e $object && -z $(find "$root/harness" -newer "$object" -name '*pp' -print -quit) ]] && return
  printf "#include \"$root/harness/$room/%s.cpp\"\n" "$@" >"$directory/$room.cpp"
  "$compiler" "${flags[@]}" -fsanitize=fuzzer-no-link -c "$directory/$room.cpp" -o "$object"
}
mapfile -t core < <(basename -s .cpp "$root"/harness/core/*.cpp)
compile_room core "${core[@]}"
compile_room process demangle escape json_lines
compile_room ipc baseline_load call channel message message_fields output_sample
compile_room recording decode encode image recording validate
compile_room profile ncu ncu_metrics sanitizer_log
compile_room evaluate replay_choice
compile_room serve client_request

for reader in "${readers[@]}"; do
  "$compiler" "${flags[@]}" -fsanitize=fuzzer "$here/$reader.cpp" "${objects[@]}" -o "$directory/$reader"
  mkdir -p "$directory/$reader.inputs"
  seeds=$here/seeds/$reader
  if [[ $reader == tool_output ]]; then seeds=$root/tests/unit/profile/golden; fi
  (cd "$directory" && "./$reader" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 \
    -max_len=16384 -print_final_stats=1 -artifact_prefix="$reader-" \
    "$reader.inputs" "$seeds")
done
