# SPDX-License-Identifier: Apache-2.0
#
# CUDA sources in a CMake project, comes with find_package(Warpfiber).
include_guard(GLOBAL)

# warpfiber_add_executable(<name> [CHECK] <source>...)
#   An executable of CUDA (.cu) and other sources, linked with Warpfiber::warpfiber. Include folders, definitions and
#   options that are given to the target (target_include_directories, target_compile_definitions) hold for the CUDA
#   sources as well; -D, -I and nvcc's other options for them alone: set_source_files_properties(… COMPILE_OPTIONS).
#   CHECK builds it with access hooks, so that races and wrong accesses are found (nvcc's option -fcheck; host sources
#   are compiled for it as well).
function(warpfiber_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CHECK" "" "")
  set(flags)
  set(library Warpfiber::warpfiber)
  if(arg_CHECK)
    set(flags -fcheck)
    set(library Warpfiber::check)
  endif()
  set(objects)
  set(others)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    if(source MATCHES "\\.cu$")
      warpfiber_compile_cuda(object ${name} "${source}" ${flags})
      list(APPEND objects "${object}")
    else()
      list(APPEND others "${source}")
    endif()
  endforeach()
  add_executable(${name} ${others} ${objects})
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ${library})
endfunction()

# warpfiber_compile_cuda(<variable> <target> <source> <option of nvcc>...)
#   Adds the command that compiles one CUDA source for a target; the object's path goes to the variable.
function(warpfiber_compile_cuda variable target source)
  get_filename_component(path "${source}" ABSOLUTE)
  file(RELATIVE_PATH place "${CMAKE_CURRENT_SOURCE_DIR}" "${path}")
  string(REPLACE ".." "__" place "${place}")
  set(object "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.cuda/${place}.o")
  get_filename_component(folder "${object}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  get_source_file_property(options "${source}" COMPILE_OPTIONS)
  if(NOT options)
    set(options)
  endif()
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_custom_command(
    OUTPUT "${object}"
    COMMAND
      Warpfiber::command nvcc -c "${path}" -o "${object}" -MD -MF "${object}.d" -ccbin "${CMAKE_CXX_COMPILER}"
      "$<IF:$<CONFIG:Debug>,-g;-G,-O3>" "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" ${ARGN} ${options}
    DEPENDS "${path}" Warpfiber::command
    DEPFILE "${object}.d"
    COMMENT "Building CUDA object ${place}.o"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${variable} "${object}" PARENT_SCOPE)
endfunction()
