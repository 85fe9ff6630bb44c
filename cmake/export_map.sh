#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# export_map.sh NM VERSION ARCHIVE [ARCHIVE OF ANOTHER LIBRARY]...
#
# Writes the linker's version script of the shared library that is made of an archive. It exports C's names, what is
# directly in the namespace warpfiber (functions, and members of classes, whose names have capitals) or in one of the
# namespaces in it that headers have, what is in the namespaces of CUDA, and what the other libraries need. Namespaces
# of rooms stay inside, and so does every template of another library. Names that NVIDIA's libraries have carry the
# versions that those of CUDA 13 give them, so that what was linked with one of them finds them here.
set -eu
nm=$1
version=$2
archive=$3
shift 3

needed() {
  for other in "$@"; do "$nm" -P -u "$other"; done | awk 'NF == 2 && $2 == "U" {print "needed", $1}'
}

{
  needed "$@"
  "$nm" -P -g --defined-only "$archive" | awk 'NF >= 2 && $2 != "N" {print "defined", $1}'
} | LC_ALL=C awk -v version="$version" '
  # What follows the names of special objects (Itanium C++ ABI, 5.1.4): tables, type information, guards, thunks.
  function bare(name) {
    sub(/^_Z/, "", name)
    sub(/^T[VTIS]|^GV|^T[WH]/, "", name)
    sub(/^Th[n0-9]*_|^Tv[n0-9]*_[n0-9]*_/, "", name)
    return name
  }
  function is_public(name, rest, digits, next_part) {
    if (name ~ /^DW\.ref\./) return 0          # what unwind tables of each module name
    if (name !~ /^_Z/) return 1
    if (name == "_ZN9warpfiber6engine11EngineState12the_process_E") return 1   # debuggers write to it
    rest = bare(name)
    if (rest ~ /^[0-9]/) return 1              # a function of the global namespace, as CUDA has overloads
    if (rest !~ /^N[rVKRO]*[0-9]/) return 0    # templates of the standard library, operators
    sub(/^N[rVKRO]*/, "", rest)
    if (rest ~ /^(18cooperative_groups|4cuda|6nvcuda|3cub|6thrust)/) return 1
    if (rest !~ /^9warpfiber/) return 0
    rest = substr(rest, 11)
    if (rest ~ /^(6detail|4cuda|10intrinsics|6random|3ptx|6narrow|7testing|13legacy_cublas|10crosscheck)/) return 1
    if (rest !~ /^[0-9]/) return 1             # an operator
    digits = rest
    sub(/[^0-9].*/, "", digits)
    next_part = substr(rest, length(digits) + 1)
    if (next_part ~ /^[A-Z]/) return 1         # a member of a class
    return substr(next_part, digits + 1) ~ /^[EIB]/   # a function
  }
  function version_of(name) {
    if (name ~ /^(__)?cuda[A-Z]/) return "libcudart.so.13"
    if (name ~ /^cublas/) return "libcublas.so.13"
    if (name ~ /^cufft/) return "libcufft.so.12"
    if (name ~ /^curand/) return "libcurand.so.10"
    if (name ~ /^cusolver/) return "libcusolver.so.12"
    if (name ~ /^cusparse/) return "libcusparse.so.12"
    return version
  }
  $1 == "needed" {needed[$2] = 1}
  $1 == "defined" && (is_public($2) || $2 in needed) && !($2 in exported) {
    exported[$2] = 1
    of = version_of($2)
    if (!(of in names)) versions[++count] = of
    names[of] = names[of] "    " $2 ";\n"
  }
  END {
    if (count == 0) {
      print "export_map.sh: the archive has no symbol to export" > "/dev/stderr"
      exit 1
    }
    if (!(version in names)) versions[++count] = version
    for (i = 1; i <= count; ++i) {
      print versions[i] " {"
      if (names[versions[i]] != "") printf "  global:\n%s", names[versions[i]]
      if (versions[i] == version) print "  local:\n    *;"
      print "};"
    }
  }'
