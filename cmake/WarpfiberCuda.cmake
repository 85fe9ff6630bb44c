# SPDX-License-Identifier: Apache-2.0
#
# CUDA sources in a CMake project, comes with find_package(Warpfiber).
include_guard(GLOBAL)

set(WARPFIBER_BACKEND "simulator" CACHE STRING "Where programs of warpfiber_add_executable() run their kernels: simulator or gpu")
set_property(CACHE WARPFIBER_BACKEND PROPERTY STRINGS simulator gpu)

# warpfiber_add_executable(<name> [CHECK] [REGIONS] <source>...)
#   An executable of CUDA (.cu) and other sources, linked with Warpfiber::warpfiber, and with Warpfiber::cuda_libraries
#   (cuBLAS, cuFFT, cuRAND and the like) where it is installed. Include folders, definitions and options that are given to
#   the target (target_include_directories, target_compile_definitions) hold for the CUDA sources as well; -D, -I and
#   nvcc's other options for them alone: set_source_files_properties(… COMPILE_OPTIONS).
#   CHECK builds it with access hooks, so that races and wrong accesses are found (nvcc's option -fcheck; host sources
#   are compiled for it as well).
#   REGIONS compiles CUDA sources so that blocks of kernels with barriers run as loops, where clang++ and the plugin for it
#   are there (nvcc's option -fregions).
#   With -DWARPFIBER_BACKEND=gpu the same sources, those of the native API in C++ as well, are built by NVIDIA's nvcc and
#   run on a GPU, of the architecture WARPFIBER_CUDA_ARCHITECTURE (native). CHECK and REGIONS are left out there.
function(warpfiber_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CHECK;REGIONS" "" "")
  add_executable(${name})
  warpfiber_add_sources_(${name} PRIVATE "${arg_CHECK}" "${arg_REGIONS}" ${arg_UNPARSED_ARGUMENTS})
endfunction()

# warpfiber_add_library(<name> [STATIC|SHARED|MODULE] [CHECK] [REGIONS] <source>...)
#   A library of such sources, for targets of any kind: target_link_libraries(app PRIVATE <name>). Without a word for its
#   kind it is shared where BUILD_SHARED_LIBS is set. CHECK holds for the library's own sources only.
function(warpfiber_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STATIC;SHARED;MODULE;CHECK;REGIONS" "" "")
  set(kind)
  foreach(word STATIC SHARED MODULE)
    if(arg_${word})
      list(APPEND kind ${word})
    endif()
  endforeach()
  list(LENGTH kind kinds)
  if(kinds GREATER 1)
    message(FATAL_ERROR "warpfiber_add_library(${name}): a library is one of ${kind}")
  endif()
  add_library(${name} ${kind})
  warpfiber_add_sources_(${name} PUBLIC "${arg_CHECK}" "${arg_REGIONS}" ${arg_UNPARSED_ARGUMENTS})
endfunction()

# warpfiber_add_sources_(<target> <PRIVATE|PUBLIC> <whether CHECK> <whether REGIONS> <source>...)
#   Compiles the sources for the target, and links what they need: with the runtime those, too, that link a library.
function(warpfiber_add_sources_ name scope check regions)
  set(flags)
  set(library Warpfiber::warpfiber)
  if(WARPFIBER_BACKEND STREQUAL "gpu")
    find_package(CUDAToolkit REQUIRED)
    set(library CUDA::cudart_static)
  elseif(NOT WARPFIBER_BACKEND STREQUAL "simulator")
    message(FATAL_ERROR "WARPFIBER_BACKEND is simulator or gpu, not '${WARPFIBER_BACKEND}'")
  elseif(check)
    set(flags -fcheck)
    target_link_libraries(${name} PRIVATE Warpfiber::check)
  elseif(regions)
    set(flags -fregions)
  endif()
  set(objects)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "\\.cu$" OR (WARPFIBER_BACKEND STREQUAL "gpu" AND source MATCHES "\\.(cc|cpp|cxx)$"))
      warpfiber_compile_cuda(object ${name} "${source}" ${flags})
      list(APPEND objects "${object}")
    else()
      target_sources(${name} PRIVATE "${source}")
    endif()
  endforeach()
  target_sources(${name} PRIVATE ${objects})
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  if(TARGET Warpfiber::cuda_libraries AND WARPFIBER_BACKEND STREQUAL "simulator")
    list(PREPEND library Warpfiber::cuda_libraries)
    # Of a shared library, only programs that call it load it.
    target_link_options(${name} ${scope} LINKER:--as-needed)
  endif()
  target_link_libraries(${name} ${scope} ${library})
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
  set(position_independent "$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>")
  set(compiler Warpfiber::command nvcc)
  set(command Warpfiber::command)
  set(headers)
  if(WARPFIBER_BACKEND STREQUAL "gpu")
    set(architecture native)
    if(WARPFIBER_CUDA_ARCHITECTURE)
      set(architecture "${WARPFIBER_CUDA_ARCHITECTURE}")
    endif()
    set(command "${CUDAToolkit_NVCC_EXECUTABLE}")
    set(compiler "${command}" -x cu -std=c++20 "-arch=${architecture}")
    set(headers "$<TARGET_PROPERTY:Warpfiber::warpfiber,INTERFACE_INCLUDE_DIRECTORIES>")
  endif()
  add_custom_command(
    OUTPUT "${object}"
    COMMAND
      ${compiler} -c "${path}" -o "${object}" -MD -MF "${object}.d" -ccbin "${CMAKE_CXX_COMPILER}"
      "$<IF:$<CONFIG:Debug>,-g;-G,-O3>" "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" "$<$<BOOL:${headers}>:-I$<JOIN:${headers},;-I>>"
      "$<$<BOOL:${position_independent}>:-Xcompiler;-fPIC>" ${ARGN} ${options}
    DEPENDS "${path}" ${command}
    DEPFILE "${object}.d"
    COMMENT "Building CUDA object ${place}.o"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${variable} "${object}" PARENT_SCOPE)
endfunction()
