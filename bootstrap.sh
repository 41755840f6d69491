#!/usr/bin/env bash
#
# ./bootstrap.sh demo   prepare, build, then show what the suite does
# ./bootstrap.sh test   prepare, then configure, build and run the whole test suite
#
# Preparing gets what is missing: Debian packages (only as root; otherwise it says which) and LibTorch
# in .venv. A Torch_DIR, a RobustKBench_PYTHON or a python3 with a recent torch is used instead. pip's
# own settings hold (PIP_INDEX_URL, PIP_EXTRA_INDEX_URL, ...), so a CPU build of torch serves too.
# It asks nothing, may be interrupted at any time, and does nothing twice.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly torch_requirement="torch==2.11.0"
# What libtorch_cpu.so of the CUDA 13.0 build needs at run time; a CPU build needs neither.
readonly cuda13_requirements=("nvidia-cuda-runtime==13.0.96" "nvidia-cuda-cupti==13.0.85")
readonly venv=.venv
readonly venv_ready="$venv/robust_kbench_ready" # written last: without it the venv is half made
readonly program=build/robust/bin/rkb

say() { printf '==> %s\n' "$*"; }
die() {
  printf 'bootstrap.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

has_command() { command -v "$1" >/dev/null; }
has_header() { echo "#include <$1>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }
has_venv() { python3 -c 'import ensurepip, venv' 2>/dev/null; }
can_install() { [[ $(id -u) -eq 0 ]] && has_command apt-get; }

missing_packages() {
  has_command g++ || echo g++
  has_command cmake || echo cmake
  has_command git || echo git
  has_command ninja || echo ninja-build
  has_command python3 || echo python3
  has_venv || echo python3-venv
  has_header nlohmann/json.hpp || echo nlohmann-json3-dev
  has_header CLI/CLI.hpp || echo libcli11-dev
  has_header fmt/format.h || echo libfmt-dev
  has_header sqlite3.h || echo libsqlite3-dev
  has_header gtest/gtest.h || echo libgtest-dev
  has_header gmock/gmock.h || echo libgmock-dev
  has_header benchmark/benchmark.h || echo libbenchmark-dev
  # Only keeps what was compiled: not worth asking anybody for.
  has_command ccache || ! can_install || echo ccache
}

install_packages() {
  local packages
  packages=$(missing_packages | tr '\n' ' ')
  [[ -n $packages ]] || return 0
  local install="apt-get install -y --no-install-recommends ${packages% }"
  if ! can_install; then
    die "missing packages: ${packages% }; install them with: sudo $install" 2
  fi
  say "Installing Debian packages: ${packages% }"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  $install -qq >build/bootstrap.apt.log 2>&1 || {
    tail -n 20 build/bootstrap.apt.log >&2
    die "apt-get failed; its whole output is in build/bootstrap.apt.log"
  }
  prepared=true
}

# Prints the version of a Python's torch, found without importing it; fails where it has none.
torch_version() {
  "$1" - 2>/dev/null <<'PYTHON'
import importlib.util, pathlib, re
root = importlib.util.find_spec("torch").submodule_search_locations[0]
text = pathlib.Path(root, "version.py").read_text()
version = re.search(r"__version__ = '(.+)'", text)[1]
assert tuple(map(int, version.split(".")[:2])) >= (2, 9), version
print(version)
PYTHON
}

venv_requirements() {
  echo "$torch_requirement"
  if ! grep -qs '^cuda: .*= None' "$venv"/lib/python3*/site-packages/torch/version.py; then
    printf '%s\n' "${cuda13_requirements[@]}"
  fi
}

install_torch() {
  [[ -z ${Torch_DIR:-}${RobustKBench_PYTHON:-} ]] || return 0
  [[ ! -e $venv_ready ]] || return 0
  local version
  if version=$(torch_version python3); then
    say "Using torch $version of $(command -v python3)"
    return 0
  fi
  say "Installing $torch_requirement into $venv (a download of about 0.5 GB)"
  python3 -m venv --clear "$venv"
  local pip=("$venv/bin/python" -m pip --disable-pip-version-check install --no-cache-dir --no-deps)
  "${pip[@]}" "$torch_requirement"
  local requirements
  mapfile -t requirements < <(venv_requirements)
  "${pip[@]}" --quiet "${requirements[@]}"
  torch_version "$venv/bin/python" >"$venv_ready.new"
  mv "$venv_ready.new" "$venv_ready"
  prepared=true
}

cached() { sed -n "s/^$1:[A-Z]*=//p" build/robust/CMakeCache.txt; }

# Whether a CUDA toolkit has come since the build was configured without one.
has_new_nvcc() {
  [[ $(cached RobustKBench_NVCC) == *-NOTFOUND ]] || return 1
  has_command nvcc || [[ -x /usr/local/cuda/bin/nvcc ]]
}

# Whether there is a build, with this Torch_DIR and RobustKBench_PYTHON; both empty: with any torch.
is_configured() {
  [[ -e build/robust/build.ninja ]] || return 1
  ! has_new_nvcc || return 1
  [[ -n $1$2 ]] || return 0
  [[ $(cached Torch_DIR) == "$1" ]] || return 1
  [[ -z $2 || $(cached RobustKBench_PYTHON) == "$2" ]]
}

configure() {
  # Absolute, as CMake keeps them.
  local torch_dir=${Torch_DIR:+$(realpath -ms "$Torch_DIR")}
  local python=${RobustKBench_PYTHON:+$(realpath -ms "$RobustKBench_PYTHON")}
  ! is_configured "$torch_dir" "$python" || return 0
  say "Configuring build/robust"
  # A Torch_DIR that the build has from before would win over the Python.
  cmake --preset robust ${python:+-U Torch_DIR -D "RobustKBench_PYTHON=$python"} \
    ${torch_dir:+-D "Torch_DIR=$torch_dir"}
  prepared=true
}

has_gpu() { python3 -c 'import ctypes; ctypes.CDLL("libcuda.so.1")' 2>/dev/null; }

# What the demo needs; the tests take as long again. Ninja's dry run cannot tell whether there is work
# to do: it takes the globs that CMake checks first for changed.
build() {
  configure
  rm -f build/bootstrap.built
  local kernels=cpu_kernels
  ! has_gpu || kernels=kernels
  cmake --build --preset robust --target rkb "$kernels" | while IFS= read -r line; do
    case $line in
      *"Re-checking globbed"* | *"no work to do"*) ;;
      *)
        printf '%s\n' "$line"
        : >build/bootstrap.built
        ;;
    esac
  done
  [[ ! -e build/bootstrap.built ]] || prepared=true
}

prepare() {
  mkdir -p build
  prepared=false
  local start=$SECONDS
  install_packages
  install_torch
  [[ $1 != demo ]] || build
  if $prepared; then
    say "Prepared in $((SECONDS - start)) s"
  else
    say "Everything is prepared already"
  fi
}

case "${1:-}" in
  demo)
    prepare demo
    exec "$program" demo
    ;;
  test)
    prepare test
    configure
    exec cmake --workflow --preset robust
    ;;
  -h | --help | help)
    sed -n '3,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    ;;
  *)
    die "unknown command '${1:-}'; known: demo, test, help" 2
    ;;
esac
