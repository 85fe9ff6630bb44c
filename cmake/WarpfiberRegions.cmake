# SPDX-License-Identifier: Apache-2.0
#
# The plugin that -fregions gives to clang++ (src/compiler/regions): built where LLVM's headers and a clang++ of their
# major version are there. A plugin fits that version only, and has LLVM's own functions from the clang++ that loads it,
# so it links no LLVM. Sanitizers would need their run time in clang++, too.
#
# Sets WARPFIBER_REGIONS_LLVM, the major version; empty where there is no plugin.

# warpfiber_try_regions_clang(<clang++>)
#   Sets in the caller `complaint` to what is missing for a plugin of that compiler, or to nothing and
#   WARPFIBER_REGIONS_LLVM and WARPFIBER_REGIONS_INCLUDES.
function(warpfiber_try_regions_clang clang)
  execute_process(COMMAND "${clang}" -dumpversion OUTPUT_VARIABLE version)
  string(REGEX MATCH "^[0-9]+" major "${version}")
  set(complaint "${clang} is not of a version from 14 to 19" PARENT_SCOPE)
  if(NOT major OR major LESS 14 OR major GREATER 19)
    return()
  endif()
  # Its CMake package would look for libraries that LLVM itself links, by compiling C.
  find_program(llvm_config NAMES "llvm-config-${major}" llvm-config NO_CACHE)
  set(found "")
  if(llvm_config)
    execute_process(COMMAND "${llvm_config}" --version --includedir OUTPUT_VARIABLE found)
  endif()
  set(complaint "LLVM's headers of ${clang} are not there (llvm-dev, of version ${major})" PARENT_SCOPE)
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

# warpfiber_find_regions_llvm()
#   Looks for a clang++, or takes that of WARPFIBER_REGIONS_CLANG. Sets in the caller WARPFIBER_REGIONS_LLVM and
#   WARPFIBER_REGIONS_INCLUDES, and `complaint` to what is missing, else to nothing.
macro(warpfiber_find_regions_llvm)
  set(complaint "no clang++ (clang)")
  if(WARPFIBER_SANITIZE OR WARPFIBER_SANITIZE_THREADS)
    set(complaint "sanitizers")
  elseif(WARPFIBER_REGIONS_CLANG)
    warpfiber_try_regions_clang("${WARPFIBER_REGIONS_CLANG}")
  else()
    foreach(name clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
      find_program(regions_clang_${name} NAMES "${name}" NO_CACHE)
      if(regions_clang_${name})
        warpfiber_try_regions_clang("${regions_clang_${name}}")
        if(NOT complaint)
          set(WARPFIBER_REGIONS_CLANG "${regions_clang_${name}}" CACHE FILEPATH "The clang++ that the plugin for regions is for")
          break()
        endif()
      endif()
    endforeach()
  endif()
endmacro()

# warpfiber_add_regions_plugin(<source>...)
#   Builds the plugin from the sources of the room that calls, beside toolchain.json, which names it.
function(warpfiber_add_regions_plugin)
  add_library(warpfiber_regions MODULE ${ARGN})
  target_link_libraries(warpfiber_regions PRIVATE warpfiber_settings)
  target_include_directories(warpfiber_regions PRIVATE ${WARPFIBER_SOURCE_FOLDERS} "${PROJECT_SOURCE_DIR}/include")
  target_include_directories(warpfiber_regions SYSTEM PRIVATE ${WARPFIBER_REGIONS_INCLUDES})
  target_compile_options(warpfiber_regions PRIVATE -fno-rtti)
  set_target_properties(warpfiber_regions PROPERTIES PREFIX "" UNITY_BUILD_BATCH_SIZE ${WARPFIBER_BATCH} LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/warpfiber")
  warpfiber_link_for_old_systems(warpfiber_regions)
  install(TARGETS warpfiber_regions LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/warpfiber")
endfunction()

set(WARPFIBER_REGIONS_LLVM "")
if(WARPFIBER_REGIONS AND EXISTS "${PROJECT_SOURCE_DIR}/src/compiler/regions/CMakeLists.txt")
  warpfiber_find_regions_llvm()
  if(complaint AND NOT WARPFIBER_REGIONS STREQUAL "AUTO")
    message(FATAL_ERROR "WARPFIBER_REGIONS is ${WARPFIBER_REGIONS}: ${complaint}")
  elseif(complaint)
    message(STATUS "regions: not built: ${complaint}")
  endif()
endif()
