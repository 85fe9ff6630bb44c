# SPDX-License-Identifier: Apache-2.0
#
# WARPFIBER_OLDEST_GLIBC: what is installed starts on systems with that glibc and a libstdc++ of its time, wherever it is
# built. Its files are linked with stand-ins for this system's libraries (packaging/old_system); how they are compiled
# stays the same. packaging/check_symbols looks at what they need.
set(WARPFIBER_OLDEST_GLIBC
    ""
    CACHE STRING "Link what is installed so that it runs on systems with this glibc (2.28); empty: on this one and newer")
set(WARPFIBER_OLDEST_GLIBCXX "3.4.25")  # g++ 8, of the systems with glibc 2.28

set(old_system "${PROJECT_BINARY_DIR}/old_system")
if(WARPFIBER_OLDEST_GLIBC)
  if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT WARPFIBER_SHARED)
    message(FATAL_ERROR "WARPFIBER_OLDEST_GLIBC is for builds by g++ on x86-64 without sanitizers; leave it empty")
  endif()
  # Programs by later ones initialise the C++ library's streams by a function that the older library does not have.
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    message(STATUS "linked for this system and newer ones: for glibc ${WARPFIBER_OLDEST_GLIBC} it takes g++ 12")
    set(WARPFIBER_OLDEST_GLIBC "")
  endif()
endif()
if(WARPFIBER_OLDEST_GLIBC)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/packaging/old_system" "${old_system}"
            "${WARPFIBER_OLDEST_GLIBC}" "${WARPFIBER_OLDEST_GLIBCXX}" "${CMAKE_CXX_COMPILER}"
    COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/packaging/old_system")
endif()

# warpfiber_link_for_old_systems(<target>...)
#   For programs and shared libraries that are installed.
function(warpfiber_link_for_old_systems)
  if(NOT WARPFIBER_OLDEST_GLIBC)
    return()
  endif()
  foreach(target ${ARGV})
    get_target_property(type ${target} TYPE)
    set(kind library)
    if(type STREQUAL "EXECUTABLE")
      set(kind program)
      target_link_options(${target} PRIVATE LINKER:--wrap=__libc_start_main)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:warpfiber_older_glibc_${kind}>)
    if(type STREQUAL "SHARED_LIBRARY")
      target_link_options(${target} PRIVATE LINKER:-z,defs)  # nothing may be missing from the stand-ins
    endif()
    target_link_options(${target} PRIVATE "-L${old_system}" LINKER:--exclude-libs,libstdc++.a)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${old_system}/libc.so.6")
  endforeach()
endfunction()
