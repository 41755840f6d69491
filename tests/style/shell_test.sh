#!/usr/bin/env bash
# shell_test.sh <shellcheck>: shell scripts pass shellcheck.
set -euo pipefail
tool=$1
if ! "$tool" --version >/dev/null 2>&1; then
  echo "skipped: shellcheck is not here (apt-get install shellcheck)"
  exit 77
fi
"$tool" bootstrap.sh .ci/run harness/compile/*.sh tests/style/*.sh packaging/*.sh.in packaging/prerm
