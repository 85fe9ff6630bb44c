# SPDX-License-Identifier: Apache-2.0
#
# The helpers that every CMakeLists.txt below src and tests uses. A room is a folder in a wing of src; its sources are
# listed, never globbed. A room's unit tests are one executable, and a test executable is one CTest entry.
include_guard(GLOBAL)

# Where includes of src begin: "engine/worker.hpp" is a file of the room `engine`, in whichever wing that is.
set(WARPFIBER_SOURCE_FOLDERS "${PROJECT_SOURCE_DIR}/src")
set(WARPFIBER_WINGS foundation compiler models analysis execution cuda libraries)
foreach(wing IN LISTS WARPFIBER_WINGS)
  list(APPEND WARPFIBER_SOURCE_FOLDERS "${PROJECT_SOURCE_DIR}/src/${wing}")
endforeach()

# Where several files of a room are compiled as one (CMAKE_UNITY_BUILD), so many are: headers and templates that all of
# them use take more of a unit's time than the files themselves.
set(WARPFIBER_BATCH 24)

# Where there is one, tests compile with it, and crosscheck builds for a GPU.
find_program(WARPFIBER_NVCC nvcc HINTS "$ENV{CUDA_PATH}/bin" "$ENV{CUDA_HOME}/bin" "/usr/local/cuda/bin")
set(WARPFIBER_CUDA_ARCHITECTURE
    ""
    CACHE STRING "What is built for a GPU: native, sm_90 and the like; empty: native where there is one, else sm_90")

# warpfiber_gpu_architecture(<variable>)
#   What nvcc is to build for: WARPFIBER_CUDA_ARCHITECTURE, else the GPU that is there, else the H200's.
function(warpfiber_gpu_architecture variable)
  set(${variable} "${WARPFIBER_CUDA_ARCHITECTURE}" PARENT_SCOPE)
  if(WARPFIBER_CUDA_ARCHITECTURE)
    return()
  endif()
  get_filename_component(folder "${WARPFIBER_NVCC}" REALPATH)
  get_filename_component(folder "${folder}" DIRECTORY)
  execute_process(COMMAND "${folder}/__nvcc_device_query" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(result EQUAL 0)
    set(${variable} native PARENT_SCOPE)
  else()
    set(${variable} sm_90 PARENT_SCOPE)
  endif()
endfunction()

# warpfiber_add_room(<room> [SELDOM_RUN] SOURCES <file>...)
#   Compiles a room as the object library warpfiber_<room>. Every room sees src/, its wings, include/ and the library's
#   dependencies. src/CMakeLists.txt says which rooms become part of which library; `translate` and `tools` make the
#   commands. What a SELDOM_RUN one does is done once for a finding, a file or a call of the host, and no kernel waits for
#   it: -O1, which compiles in three quarters of the time.
function(warpfiber_add_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SELDOM_RUN" "" "SOURCES")
  add_library(warpfiber_${room} OBJECT ${arg_SOURCES})
  set_target_properties(warpfiber_${room} PROPERTIES UNITY_BUILD_BATCH_SIZE ${WARPFIBER_BATCH})
  target_link_libraries(warpfiber_${room} PRIVATE warpfiber_settings warpfiber_libraries)
  target_compile_options(warpfiber_${room} PRIVATE ${WARPFIBER_ROOM_FLAGS})
  if(arg_SELDOM_RUN)
    target_compile_options(warpfiber_${room} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  target_compile_definitions(warpfiber_${room} PRIVATE WARPFIBER_OWN_OBJECT)
  target_include_directories(warpfiber_${room} PRIVATE ${WARPFIBER_SOURCE_FOLDERS} "${PROJECT_SOURCE_DIR}/include")
  if(CMAKE_UNITY_BUILD)
    warpfiber_precompile(${room} "${arg_SELDOM_RUN}")
  endif()
  if(room STREQUAL "tools")
    target_link_libraries(warpfiber_tools PUBLIC ${WARPFIBER_ELF_LIBRARIES} warpfiber_translate)
    target_sources(warpfiber_tools INTERFACE $<TARGET_OBJECTS:warpfiber_translate>)
  endif()
endfunction()

# warpfiber_precompile(<room> <whether it is seldom run>)
#   Gives a room the headers of the language and of fmt that most files include, precompiled, which are a second of each
#   unit. The first room that is compiled as well as this one has precompiled them. Precompiled in a unit of one file it
#   would take longer than it saves, so it is for CMAKE_UNITY_BUILD.
function(warpfiber_precompile room seldom)
  if(room STREQUAL "cuda_libraries")
    return()  # has a longer one of its own
  endif()
  set(optimisation usual)
  if(seldom)
    set(optimisation little)
  endif()
  get_property(owner GLOBAL PROPERTY WARPFIBER_PRECOMPILED_${optimisation})
  if(owner)
    target_precompile_headers(warpfiber_${room} REUSE_FROM ${owner})
    return()
  endif()
  set_property(GLOBAL PROPERTY WARPFIBER_PRECOMPILED_${optimisation} warpfiber_${room})
  target_precompile_headers(
    warpfiber_${room} PRIVATE <algorithm> <array> <atomic> <bit> <chrono> <cstdint> <cstring> <deque> <functional> <map> <memory>
    <mutex> <optional> <set> <span> <string> <string_view> <tuple> <type_traits> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h>)
endfunction()

# warpfiber_add_unit_test(<room> <file>...)
#   The unit tests of a room: warpfiber_add_test_program(unit_<room> <file>...).
function(warpfiber_add_unit_test room)
  warpfiber_add_test_program(unit_${room} ${ARGN})
  if(room STREQUAL "tools")
    target_link_libraries(unit_tools PRIVATE warpfiber_tools)
  elseif(room STREQUAL "translate")
    target_link_libraries(unit_translate PRIVATE warpfiber_translate)
  endif()
endfunction()

# warpfiber_compile_apart(<file>...)
#   Leaves files out where several are compiled as one (CMAKE_UNITY_BUILD: presets asan and ci), because a name of theirs
#   means something else in a neighbour.
function(warpfiber_compile_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# warpfiber_compile_by_folder(<room> <number>)
#   Where several files are compiled as one, those of each folder of the room are, up to so many: in another folder their
#   names mean something else. After warpfiber_add_room(), in the same CMakeLists.txt.
function(warpfiber_compile_by_folder room number)
  set_target_properties(warpfiber_${room} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources warpfiber_${room} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "of_${folder}" folder)
    math(EXPR ${folder} "${${folder}} + 1")
    math(EXPR part "(${${folder}} - 1) / ${number}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${folder}_${part})
  endforeach()
endfunction()

# warpfiber_use_general_registers(<file>...)
#   For code that runs while all registers are a program's and only the general ones have been kept: on x86-64 the
#   compiler uses no others, and calls nothing for what the code says plainly.
function(warpfiber_use_general_registers)
  warpfiber_compile_apart(${ARGN})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-mgeneral-regs-only;-fno-builtin;-fno-sanitize=all;-O2")
  endif()
endfunction()

# warpfiber_compile_one_by_one(<target> [<file>...])
#   For a test program whose files are compiled one by one also where others are compiled together. The files named have
#   no tests, or options of their own, and so do not use Catch2's precompiled header.
function(warpfiber_compile_one_by_one target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# warpfiber_add_test_program(<name> [SANITIZED_IN_FULL] [LIBRARIES] [BY_FILE] <file>...)
#   Builds a test executable and registers it under its name with the label `program`, and once more under valgrind.
#   The target test_programs builds all of them. SANITIZED_IN_FULL ones leave ASan and UBSan little to find and cost them
#   half of their time: they test functions from numbers or text to others, or call through the public interface what
#   the unit tests of the rooms call. Sanitizer builds have them apart, as target full_programs and label `full`, for
#   scripts/test --full. LIBRARIES ones test CUDA's libraries: they have the target library_programs and the label
#   `libraries` instead. With BY_FILE valgrind runs the tests of each file by themselves.
function(warpfiber_add_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SANITIZED_IN_FULL;LIBRARIES;BY_FILE" "" "")
  set(label program)
  set(all test_programs)
  set(library warpfiber)
  if(arg_LIBRARIES)
    set(label libraries)
    set(all library_programs)
    set(library cuda_libraries)
  endif()
  if(arg_SANITIZED_IN_FULL AND WARPFIBER_SANITIZE)
    set(label full)
    set(all full_programs)
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE warpfiber_settings warpfiber_test_settings warpfiber_libraries ${library}
                                        warpfiber_catch)
  target_include_directories(${name} PRIVATE ${WARPFIBER_SOURCE_FOLDERS} "${PROJECT_SOURCE_DIR}/tests")
  if(WARPFIBER_WITHOUT_CUDA)
    target_compile_definitions(${name} PRIVATE WARPFIBER_OWN_OBJECT)  # the check of the ABI's version is in the room abi
  endif()
  if(TARGET warpfiber_precompiled_catch)
    target_precompile_headers(${name} REUSE_FROM warpfiber_precompiled_catch)
  endif()
  add_dependencies(${all} ${name})
  set(tests)
  if(CMAKE_CROSSCOMPILING)
    set(tests "~[growth]~[sweep]")  # large input, and thousands of random inputs, take an emulator minutes
  endif()
  # Catch2 says which test an abort has come in; CTest kills a process without a word.
  add_test(NAME ${name} COMMAND timeout --signal=ABRT 290 ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${name}> ${tests})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 300)
  if(WARPFIBER_SANITIZE)
    # A request for too much memory is refused, as without the sanitizer, and tested.
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "ASAN_OPTIONS=allocator_may_return_null=1:intercept_tls_get_addr=0")
  endif()
  if(arg_BY_FILE)
    foreach(file ${arg_UNPARSED_ARGUMENTS})
      warpfiber_add_valgrind_test(${name} "${file}")
    endforeach()
  else()
    warpfiber_add_valgrind_test(${name})
  endif()
endfunction()

# warpfiber_label_libraries(<test>...)
#   For tests of CUDA's libraries: the label `libraries` takes the place of theirs.
function(warpfiber_label_libraries)
  set_tests_properties(${ARGN} PROPERTIES LABELS libraries)
endfunction()

# warpfiber_add_valgrind_test(<target> [<file>])
#   Runs a test executable under valgrind as valgrind_<target>: errors and definite leaks fail. With a file, of its tests
#   those of that file, as valgrind_<target>_<file>: a test whose threads wait takes valgrind up to thirty times as long
#   when many such tests ran before it in the same process. Nothing without
#   valgrind, and nothing in a sanitizer build, which valgrind cannot run. Left out are tests with the tag
#   [host-arithmetic]: valgrind knows one rounding mode and 64 bits of long double ("Limitations" in its manual); and with
#   [faults]: kernels that use memory which is not there, on purpose, which valgrind reports, too; and with
#   [address-space]: the shadow of all device memory needs more addresses than valgrind leaves; and with
#   [growth]: large input, which takes valgrind minutes and does nothing that small input does not do.
function(warpfiber_add_valgrind_test target)
  find_program(WARPFIBER_VALGRIND valgrind)
  if(NOT WARPFIBER_VALGRIND OR WARPFIBER_SANITIZE OR CMAKE_CROSSCOMPILING)
    message(STATUS "valgrind_${target}: not registered (no valgrind, a sanitizer build, or another processor)")
    return()
  endif()
  set(name valgrind_${target})
  set(tests "~[host-arithmetic]~[faults]~[address-space]~[growth]")
  if(ARGC GREATER 1)
    get_filename_component(file "${ARGV1}" NAME_WE)
    string(REGEX REPLACE "_test$" "" part "${file}")
    set(name ${name}_${part})
    set(tests --filenames-as-tags "[#${file}]${tests}")
  endif()
  add_test(NAME ${name}
           COMMAND "${WARPFIBER_VALGRIND}" --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite
                   $<TARGET_FILE:${target}> ${tests})
  # That of the fibers is short, and what everything else stands on: scripts/test runs it always.
  set(label valgrind)
  if(target STREQUAL "unit_fiber")
    set(label memcheck)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 900 COST 20)
endfunction()

# warpfiber_add_nvcc_check(<name> <file>)
#   Compiles a source that is written against the native API with nvcc for sm_90, wherever nvcc is on the path. To PTX:
#   all of the source is read by NVIDIA's front end then, which is what differs, and no other compiler takes its time.
function(warpfiber_add_nvcc_check name file)
  if(NOT WARPFIBER_NVCC)
    message(STATUS "nvcc_${name}: not registered (no nvcc on the path)")
    return()
  endif()
  get_filename_component(source "${file}" ABSOLUTE)
  add_test(NAME nvcc_${name}
           COMMAND "${WARPFIBER_NVCC}" -std=c++20 -arch=sm_90 -Werror all-warnings -x cu "-I${PROJECT_SOURCE_DIR}/include"
                   -ptx "${source}" -o "${CMAKE_CURRENT_BINARY_DIR}/nvcc_${name}.ptx")
  set_tests_properties(nvcc_${name} PROPERTIES LABELS nvcc TIMEOUT 300)
endfunction()
