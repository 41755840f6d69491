#!/bin/sh
# usage: nvcc_halves.sh NVCC ARGUMENT...
#
# Compiles one CUDA source as `NVCC ARGUMENT...` does, in two thirds of the time where a second core
# is idle. nvcc translates for the host and for the device one after the other. All that the two
# share is a name for the source, which this script gives to both. The commands come from `nvcc
# --dryrun`, whose output no document promises. If it is not as expected, nvcc itself runs.
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
    name = $0
    sub(/.*--module_id_file_name /, "", name)
    sub(/" .*/, "\"", name)
    host = $0; seen = seen "f"; next
  }
  /^"\$CICC_PATH\/cicc" / { device = $0; seen = seen "c"; next }
  /^ptxas /               { machine = $0; seen = seen "p"; next }
  /^fatbinary .* --embedded-fatbin="/ {
    embedded = $0; sub(/.* --embedded-fatbin=/, "", embedded)
    sub(/ --embedded-fatbin=.*/, " --create=\"$scratch/fatbin\" --embedded-fatbin=\"$scratch/fatbin.c\"")
    machine = machine " && " $0; seen = seen "b"; next
  }
  /^gcc .* -c -x c\+\+ .*cudafe1\.cpp" -o / { object = $0; seen = seen "o"; next }
  { seen = seen "?" }

  END {
    if (seen !~ /^(dh|hd)fcpbo$/) exit 1
    if (depfile != "") {
      target = object; sub(/.* -o /, "", target)
      host_text = host_text " -MD -MF \"$scratch/host.d\" -MQ " target
      device_text = device_text " -MD -MF \"$scratch/device.d\" -MQ target"
      print "depfile=" quoted(depfile)
    }
    assembly = object
    sub(/ -c -x c\+\+ /, " -S -x c++ ", assembly)
    sub(/ -o .*/, " -o \"$scratch/host.s\"", assembly)
    sub(/ -x c\+\+ /, " -x assembler ", object)
    sub(/"[^"]*cudafe1\.cpp"/, "\"$scratch/host.s\"", object)
    print "module_id=" name "; embedded_fatbin=" embedded
    print "host_source()  { " host_text " && " host "; }"
    print "device_code()  { " device_text " && " device "; }"
    print "machine_code() { " machine "; }"
    print "host_code()    { " assembly "; }"
    print "object()       { " object "; }"
  }'

# The device pass may include files that the host pass does not.
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
depfile=
eval "$script"
# The name has nvcc's form. It names static symbols of this source, so no two sources may share it.
checksum=$(printf '%s\n' "$PWD" "$@" | cksum)
# shellcheck disable=SC2154  # set by the script
printf '_%08x_6_kernel_%08x' "${checksum%% *}" "${checksum##* }" > "$module_id"

# The host code embeds the GPU code as text, which does not exist yet. So a stand-in is embedded.
# Its data is replaced by an .incbin of the GPU code, which only the assembler reads, later.
printf '.version 8.0\n.target sm_90\n' > "$scratch/stand_in.ptx"
fatbinary -64 --image3=kind=ptx,sm=90,file="$scratch/stand_in.ptx" --create="$scratch/stand_in" \
  --embedded-fatbin="$scratch/stand_in.c" || { "$@"; exit; }
# shellcheck disable=SC2154  # set by the script
awk -v file="$scratch/fatbin" '
  /^"[.]quad / { if (!seen++) print "\".incbin \\\"" file "\\\"\\n\""; next }
  { print }' "$scratch/stand_in.c" > "$embedded_fatbin"

device_code > "$scratch/device.log" 2>&1 & device=$!
host_source || exit
wait "$device" || failed=$?
cat "$scratch/device.log"
[ -z "${failed-}" ] || exit "$failed"
machine_code > "$scratch/machine.log" 2>&1 & machine=$!
host_code > "$scratch/host.log" 2>&1 || failed=$?
wait "$machine" || { failed=$?; : > "$scratch/host.log"; }
cat "$scratch/machine.log" "$scratch/host.log"
[ -z "${failed-}" ] || exit "$failed"
[ -z "$depfile" ] || one_rule "$scratch/host.d" "$scratch/device.d" > "$depfile"
object
