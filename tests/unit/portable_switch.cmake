# SPDX-License-Identifier: Apache-2.0
#
# The portable fiber switch, tested beside the hand-written one in the same build. Only the rooms that switch are
# compiled once more; the other rooms' objects serve both libraries.
include_guard(GLOBAL)

# warpfiber_add_portable_test(<room> <file>...)
#   Builds the unit tests of a room once more, as unit_<room>_portable, against a library whose fibers Boost.Context
#   switches. Nothing where the build's own switch is that one.
function(warpfiber_add_portable_test room)
  if(WARPFIBER_PORTABLE_SWITCH)
    return()
  endif()
  warpfiber_make_portable_library()
  set(name unit_${room}_portable)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE warpfiber_settings warpfiber_libraries warpfiber_portable warpfiber_catch)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  add_dependencies(test_programs ${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS program TIMEOUT 300)
  warpfiber_add_valgrind_test(${name})
endfunction()

# The library warpfiber_portable: every room's objects, those of the rooms that switch compiled for the portable switch.
function(warpfiber_make_portable_library)
  if(TARGET warpfiber_portable)
    return()
  endif()
  set(switching fiber engine)
  get_property(rooms GLOBAL PROPERTY WARPFIBER_LIBRARY_ROOMS)
  add_library(warpfiber_portable STATIC EXCLUDE_FROM_ALL ${WARPFIBER_FOLDED_OBJECTS})
  foreach(room IN LISTS rooms)
    if(room IN_LIST switching)
      get_target_property(sources warpfiber_${room} SOURCES)
      list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/src/${room}/")
      target_sources(warpfiber_portable PRIVATE ${sources})
    else()
      target_sources(warpfiber_portable PRIVATE $<TARGET_OBJECTS:warpfiber_${room}>)
    endif()
  endforeach()
  set_target_properties(warpfiber_portable PROPERTIES LINKER_LANGUAGE CXX)
  target_compile_definitions(warpfiber_portable PUBLIC WARPFIBER_PORTABLE_SWITCH=1)
  target_compile_options(warpfiber_portable PUBLIC -fstack-clash-protection)
  target_include_directories(warpfiber_portable PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(warpfiber_portable PRIVATE warpfiber_settings warpfiber_libraries)
  target_link_libraries(warpfiber_portable PUBLIC ${WARPFIBER_LINK_TARGETS})
endfunction()
