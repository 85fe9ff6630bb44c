# SPDX-License-Identifier: Apache-2.0
#
# The plugin that -fregions gives to clang++ (src/regions): built where LLVM's headers and a clang++ of their major version
# are there. A plugin fits that version only, and has LLVM's own functions from the clang++ that loads it, so it links no
# LLVM. Sanitizers would need their run time in clang++, too.
#
# Sets WARPFIBER_REGIONS_LLVM, the major version; empty where there is no plugin.

# warpfiber_find_regions_llvm()
#   Looks for a clang++ and llvm-config of its version. Sets in the caller WARPFIBER_REGIONS_LLVM and
#   WARPFIBER_REGIONS_INCLUDES, and `complaint` to what is missing, else to nothing.
function(warpfiber_find_regions_llvm)
  set(WARPFIBER_REGIONS_LLVM "" PARENT_SCOPE)
  set(complaint "sanitizers" PARENT_SCOPE)
  if(WARPFIBER_SANITIZE OR WARPFIBER_SANITIZE_THREADS)
    return()
  endif()
  find_program(WARPFIBER_REGIONS_CLANG NAMES clang++ clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
  set(version 0)
  if(WARPFIBER_REGIONS_CLANG)
    execute_process(COMMAND "${WARPFIBER_REGIONS_CLANG}" -dumpversion OUTPUT_VARIABLE version)
  endif()
  string(REGEX MATCH "^[0-9]+" major "${version}")
  set(complaint "no clang++ of versions 14 to 18 (clang)" PARENT_SCOPE)
  if(NOT major OR major LESS 14 OR major GREATER 18)
    return()
  endif()
  # Its CMake package would look for libraries that LLVM itself links, by compiling C.
  find_program(WARPFIBER_REGIONS_LLVM_CONFIG NAMES "llvm-config-${major}" llvm-config)
  set(found "")
  if(WARPFIBER_REGIONS_LLVM_CONFIG)
    execute_process(COMMAND "${WARPFIBER_REGIONS_LLVM_CONFIG}" --version --includedir OUTPUT_VARIABLE found)
  endif()
  set(complaint "clang++ is of version ${major}, and LLVM's headers of that version are not there (llvm-dev)" PARENT_SCOPE)
  if(NOT "${found}" MATCHES "^${major}\\.[^\n]*\n([^\n]+)")
    return()
  endif()
  set(includes "${CMAKE_MATCH_1}")
  if(NOT EXISTS "${includes}/llvm/Passes/PassPlugin.h")
    return()
  endif()
  set(complaint "" PARENT_SCOPE)
  set(WARPFIBER_REGIONS_LLVM "${major}" PARENT_SCOPE)
  set(WARPFIBER_REGIONS_INCLUDES "${includes}" PARENT_SCOPE)
endfunction()

# warpfiber_add_regions_plugin(<source>...)
#   Builds the plugin from the sources of the room that calls, beside toolchain.json, which names it.
function(warpfiber_add_regions_plugin)
  add_library(warpfiber_regions MODULE ${ARGN})
  target_link_libraries(warpfiber_regions PRIVATE warpfiber_settings)
  target_include_directories(warpfiber_regions PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  target_include_directories(warpfiber_regions SYSTEM PRIVATE ${WARPFIBER_REGIONS_INCLUDES})
  target_compile_options(warpfiber_regions PRIVATE -fno-rtti)
  set_target_properties(warpfiber_regions PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/warpfiber")
  install(TARGETS warpfiber_regions LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/warpfiber")
endfunction()

set(WARPFIBER_REGIONS_LLVM "")
if(WARPFIBER_REGIONS AND EXISTS "${PROJECT_SOURCE_DIR}/src/regions/CMakeLists.txt")
  warpfiber_find_regions_llvm()
  if(complaint AND NOT WARPFIBER_REGIONS STREQUAL "AUTO")
    message(FATAL_ERROR "WARPFIBER_REGIONS is ${WARPFIBER_REGIONS}: ${complaint}")
  elseif(complaint)
    message(STATUS "regions: not built: ${complaint}")
  endif()
endif()
