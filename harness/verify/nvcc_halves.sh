#!/bin/sh
# usage: nvcc_halves.sh NVCC ARGUMENT...
#
# Compiles one CUDA source as `NVCC ARGUMENT...` does, in two thirds of the time where a second core
# is idle. nvcc translates for the host and for the device one after the other, although all that
# they share is a name for the source, which is given to both here. The commands are those that
# `nvcc --dryrun` prints, which no document promises: what is not as expected is left to nvcc.
set -u

# Makes a script of the printed commands; fails if one is missing or unknown.
# shellcheck disable=SC2016  # awk's own
plan='
  function quoted(text) {
    gsub(/\047/, "\047\\\047\047", text)
    return "\047" text "\047"
  }
  !/^#\$ / { exit }
  { sub(/^#\$ /, "") }
  /^[A-Z_]+=/ {
    name = $0; sub(/=.*/, "", name)
    print name "=" quoted(substr($0, length(name) + 2)) "; export " name
    next
  }
  /^-- Filter Dependencies -- > / { depfile = $0; sub(/.* -- > /, "", depfile); next }
  /^rm /                          { next }

  /^gcc .*-D__CUDA_ARCH__=.* -E -x c\+\+ / { device_text = $0; seen = seen "d"; next }
  /^gcc .* -E -x c\+\+ /                   { host_text = $0; seen = seen "h"; next }
  /^cudafe\+\+ .* --gen_module_id_file --module_id_file_name "/ {
    sub(/--gen_module_id_file /, "")
    identifier = $0
    sub(/.*--module_id_file_name "/, "", identifier)
    sub(/".*/, "", identifier)
    host = $0; seen = seen "f"; next
  }
  /^"\$CICC_PATH\/cicc" / { device = $0; seen = seen "c"; next }
  /^ptxas /               { device = device " && " $0; seen = seen "p"; next }
  /^fatbinary /           { device = device " && " $0; seen = seen "b"; next }
  /^gcc .* -c -x c\+\+ /  { object = $0; seen = seen "o"; next }
  { seen = seen "?" }

  END {
    if (seen !~ /^(dh|hd)fcpbo$/) exit 1
    if (depfile != "") {
      target = object; sub(/.* -o /, "", target)
      host_text = host_text " -MD -MF \"$scratch/host.d\" -MQ " target
      device_text = device_text " -MD -MF \"$scratch/device.d\" -MQ target"
    }
    print "printf %s \"$identifier\" > \"" identifier "\""
    print "{ " device_text " && " device "; } > \"$scratch/device.log\" 2>&1 &"
    print host_text " && " host " || exit"
    print "wait $! || failed=$?; cat \"$scratch/device.log\"; ${failed+exit $failed}"
    if (depfile != "") {
      print "one_rule \"$scratch/host.d\" \"$scratch/device.d\" > " quoted(depfile)
    }
    print object
  }'

# The device's text may include what the host's does not.
one_rule() {
  sed '$s/$/ \\/' "$1"
  sed '1s/^target: / /' "$2"
}

scratch=$(mktemp -d) || exec "$@"
trap 'rm -rf "$scratch"' EXIT
# nvcc's names for its temporary files hold the number of the process that printed them.
script=$(TMPDIR=$scratch "$@" --dryrun 2>&1 | awk "$plan") || script=
if [ -z "$script" ]; then
  "$@"
  exit
fi
# In nvcc's form. It names what is static in this source, so two sources must not share it.
checksum=$(printf '%s\n' "$PWD" "$@" | cksum)
# shellcheck disable=SC2034  # used by the script
identifier=$(printf '_%08x_6_kernel_%08x' "${checksum%% *}" "${checksum##* }")
eval "$script"
