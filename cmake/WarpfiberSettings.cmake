# SPDX-License-Identifier: Apache-2.0
#
# How everything in this tree is compiled: language level, warnings, sanitizers, output folders, compiler cache. The
# target `warpfiber_settings` carries it and is linked privately, so nothing of it reaches a user's build.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)  # the build's folder would be part of what a linked file's build ID is made of

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  find_program(WARPFIBER_CCACHE ccache)
  if(WARPFIBER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${WARPFIBER_CCACHE}")
    # Unless it is told that these do not count, it keeps nothing that a precompiled header is used for.
    if(NOT DEFINED ENV{CCACHE_SLOPPINESS})
      list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
    endif()
  endif()
endif()

add_library(warpfiber_settings INTERFACE)
target_compile_features(warpfiber_settings INTERFACE cxx_std_20)
target_compile_options(warpfiber_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                    -Wno-sign-conversion)

# Reports name files and lines, also those of optimised kernels, so whatever has kernels has debug information in every
# configuration. The library and the command have it only where CMake's build type asks for it: in every program that
# links the library it would be thirty times as large as the code.
add_library(warpfiber_kernel_settings INTERFACE)
target_compile_options(warpfiber_kernel_settings INTERFACE -g)

# For test programs, linked after warpfiber_settings, because of several -g and -O the last one counts. Assertions by the
# thousand take the optimiser longer than they run; the library itself is optimised as ever, and the gallery and
# tests/programs are, too. Reports read the line tables and no more.
add_library(warpfiber_test_settings INTERFACE)
if(WARPFIBER_SANITIZE)
  target_compile_options(warpfiber_test_settings INTERFACE -O0 -g1)
  target_compile_options(warpfiber_settings INTERFACE -g1)
else()
  target_compile_options(warpfiber_test_settings INTERFACE -g1 $<$<CONFIG:Release>:-O1>)
endif()

# gcc 12 sees overlapping copies in "text" + std::string that are none: gcc.gnu.org/PR105651.
target_compile_options(
  warpfiber_settings
  INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
if(CMAKE_UNITY_BUILD)
  # The same has these names as well where files are compiled together and headers are precompiled. The preset portable
  # keeps the warnings.
  target_compile_options(
    warpfiber_settings
    INTERFACE
      "$<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds;-Wno-stringop-overflow>")
endif()

# With less than this in use, g++ does not look for memory that it could use again, which takes a tenth of its time.
target_compile_options(warpfiber_settings INTERFACE "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=524288>")

# The switch is inlined into kernels, so the library and all who include its headers have to agree on it.
set(WARPFIBER_PUBLIC_DEFINITIONS)
if(WARPFIBER_PORTABLE_SWITCH)
  set(WARPFIBER_PUBLIC_DEFINITIONS WARPFIBER_PORTABLE_SWITCH=1)
endif()
target_compile_definitions(warpfiber_settings INTERFACE ${WARPFIBER_PUBLIC_DEFINITIONS})

if(WARPFIBER_SANITIZE)
  # gcc 12 tests a thread-local's address by the flags of an addition that the linker turns into a lea, which sets none;
  # null references then seem to be where there are none.
  set(WARPFIBER_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize=null -fno-sanitize-recover=undefined
                               -fno-omit-frame-pointer)
  if(NOT WARPFIBER_FUZZ)
    # A check at each access or sum of a pointer takes a fifth of the time of compiling. The fuzz targets have them.
    list(APPEND WARPFIBER_SANITIZE_FLAGS -fno-sanitize=alignment,object-size,pointer-overflow,vptr)
  endif()
  target_compile_options(warpfiber_settings INTERFACE ${WARPFIBER_SANITIZE_FLAGS})
  # With sanitizers gcc 12 takes the value of an optional that is returned empty, and members of std::regex's states, for
  # uninitialised: gcc.gnu.org/PR105562. The other builds have the warning.
  target_compile_options(warpfiber_settings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(warpfiber_settings INTERFACE ${WARPFIBER_SANITIZE_FLAGS})
endif()

# Whatever is compiled tells libFuzzer which of its branches an input reaches; only the targets link its main().
if(WARPFIBER_FUZZ)
  target_compile_options(warpfiber_settings INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(warpfiber_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Code of shared libraries finds thread-local data by a call that costs two instructions where there is room for the data
# beside the program's, which the compilers' own default never does. In a program the linker removes the call.
set(WARPFIBER_TLS_FLAGS)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(WARPFIBER_TLS_FLAGS -mtls-dialect=gnu2)
endif()
target_compile_options(warpfiber_settings INTERFACE ${WARPFIBER_TLS_FLAGS})

# Only the library is instrumented: kernels of tests race on purpose, and are preempted anywhere. All fibers of a worker
# are one thread, which is what they are; for that functions must not be noted as they are entered and left, since a
# fiber enters some and another one leaves others. Reports name one line each.
set(WARPFIBER_ROOM_FLAGS)
if(WARPFIBER_SANITIZE_THREADS)
  set(WARPFIBER_ROOM_FLAGS -fsanitize=thread --param=tsan-instrument-func-entry-exit=0 -g1)
  target_link_options(warpfiber_settings INTERFACE -fsanitize=thread)
endif()

# A sanitizer's library is part of the program, so there is no shared library for it to be in.
set(WARPFIBER_SHARED TRUE)
if(WARPFIBER_WITHOUT_CUDA OR WARPFIBER_SANITIZE OR WARPFIBER_SANITIZE_THREADS OR WARPFIBER_FUZZ)
  set(WARPFIBER_SHARED FALSE)
endif()
