#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# export_map.sh NM VERSION OLDER ARCHIVE [ARCHIVE OF ANOTHER LIBRARY]...
#
# Writes the linker's version script of the shared library that is made of an archive. It exports C's names, what is
# directly in the namespace warpfiber (functions, and members of classes, whose names have capitals) or in one of the
# namespaces in it that headers have, what is in the namespaces of CUDA, and what the other libraries need. Namespaces
# of rooms stay inside, and so does every template of another library. Names that NVIDIA's libraries have carry the
# versions that those of CUDA 13 give them, so that what was linked with one of them finds them here. What was linked
# with one of CUDA 12 asks for the versions of those: OLDER is written as a source file that gives the functions these
# as well. Each is a jump to the function, or, where the archive has warpfiber_cuda12_NAME, to that.
set -eu
nm=$1
version=$2
older=$3
archive=$4
shift 4

needed() {
  for other in "$@"; do "$nm" -P -u "$other"; done | awk 'NF == 2 && $2 == "U" {print "needed", $1}'
}

{
  needed "$@"
  "$nm" -P -g --defined-only "$archive" | awk 'NF >= 2 && $2 != "N" {print "defined", $1, $2}'
} | LC_ALL=C awk -v version="$version" -v older="$older" '
  # What follows the names of special objects (Itanium C++ ABI, 5.1.4): tables, type information, guards, thunks.
  function bare(name) {
    sub(/^_Z/, "", name)
    sub(/^T[VTIS]|^GV|^T[WH]/, "", name)
    sub(/^Th[n0-9]*_|^Tv[n0-9]*_[n0-9]*_/, "", name)
    return name
  }
  function is_public(name, rest, digits, next_part) {
    if (name ~ /^DW\.ref\./) return 0          # what unwind tables of each module name
    if (name ~ /^warpfiber_cuda12_/) return 0
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
    if (name ~ /^cublasLt/) return "libcublasLt.so.13"
    if (name ~ /^cublas/) return "libcublas.so.13"
    if (name ~ /^cufft/) return "libcufft.so.12"
    if (name ~ /^curand/) return "libcurand.so.10"
    if (name ~ /^cusolverMg/) return "libcusolverMg.so.12"
    if (name ~ /^cusolver/) return "libcusolver.so.12"
    if (name ~ /^cusparse/) return "libcusparse.so.12"
    return version
  }
  # Of the same library of CUDA 12; nothing where that has the same.
  function version_before(of) {
    if (of ~ /^libcu(dart|blas|blasLt)\.so\.13$/) return substr(of, 1, length(of) - 2) 12
    if (of ~ /^libcu(fft|solver|solverMg)\.so\.12$/) return substr(of, 1, length(of) - 2) 11
    return ""
  }
  # `mark`: @ for a version that has to be asked for, @@ for the one that is found without.
  function jump(name, target, mark, of, label) {
    label = "of_older_" name
    printf "    \".globl %s\\n.type %s, %%function\\n%s: \" WARPFIBER_JUMP \" %s\\n\"\n", label, label, label, target > older
    printf "    \".size %s, .-%s\\n.symver %s, %s%s%s\\n\"\n", label, label, label, name, mark, of > older
  }
  $1 == "needed" {needed[$2] = 1}
  $1 == "defined" && $2 ~ /^warpfiber_cuda12_/ {
    name = substr($2, 18)
    differs[name] = $2
    if (name ~ /_v2$/) jumping[++jumps] = name  # CUDA 13 has none of these
  }
  # Names of CUDA 12 for what CUDA 13 has as the plain one.
  BEGIN {
    split("cudaEventElapsedTime cudaMemAdvise cudaMemPrefetchAsync cudaSignalExternalSemaphoresAsync " \
          "cudaWaitExternalSemaphoresAsync cudaStreamGetCaptureInfo cudaStreamUpdateCaptureDependencies " \
          "cudaGraphAddDependencies cudaGraphAddNode cudaGraphGetEdges cudaGraphNodeGetDependencies " \
          "cudaGraphNodeGetDependentNodes cudaGraphRemoveDependencies", plain, " ")
    for (i in plain) has_second[plain[i]] = 1
  }
  $1 == "defined" && (is_public($2) || $2 in needed) && !($2 in exported) {
    exported[$2] = 1
    of = version_of($2)
    if (!(of in names)) versions[++count] = of
    names[of] = names[of] "    " $2 ";\n"
    if ($3 ~ /^[TW]$/) jumping[++jumps] = $2
  }
  END {
    if (count == 0) {
      print "export_map.sh: the archive has no symbol to export" > "/dev/stderr"
      exit 1
    }
    print "// Made by cmake/export_map.sh.\n#if defined(__aarch64__)\n#define WARPFIBER_JUMP \"b\"" > older
    print "#else\n#define WARPFIBER_JUMP \"jmp\"\n#endif\nasm(\".text\\n.cfi_startproc\\n\"" > older
    for (i = 1; i <= jumps; ++i) {
      name = jumping[i]
      before = version_before(version_of(name))
      if (before == "") continue
      if (!(before in names)) {
        versions[++count] = before
        names[before] = ""
      }
      if (name in exported) {
        jump(name, name in differs ? differs[name] : name, "@", before)
        if (name in has_second) jump(name "_v2", name, "@@", before)
        if (name == "cudaStreamGetCaptureInfo") jump(name "_v3", name, "@@", before)
      } else {
        jump(name, differs[name], "@@", before)
      }
    }
    print "    \".cfi_endproc\\n\");" > older
    if (!(version in names)) versions[++count] = version
    for (i = 1; i <= count; ++i) {
      print versions[i] " {"
      if (names[versions[i]] != "") printf "  global:\n%s", names[versions[i]]
      if (versions[i] == version) print "  local:\n    *;"
      print "};"
    }
  }'
