# SPDX-License-Identifier: Apache-2.0
#
# The gallery for a GPU, for `warpfiber crosscheck`: built with nvcc from the sources that the simulator's is built from,
# with the recorder linked in (share/crosscheck). Skipped with a word where there is no nvcc.

# warpfiber_add_gpu_gallery(<file>...)
function(warpfiber_add_gpu_gallery)
  if(NOT WARPFIBER_NVCC)
    message(STATUS "crosscheck: there is no nvcc on PATH, in CUDA_PATH, CUDA_HOME or /usr/local/cuda, so the gallery is "
                   "not built for a GPU; warpfiber crosscheck compares with recordings")
    return()
  endif()
  warpfiber_gpu_architecture(architecture)
  # Both sides round every operation: nvcc would fuse a*b+c otherwise.
  set(flags -std=c++20 "-arch=${architecture}" -O2 -fmad=false "-I${PROJECT_SOURCE_DIR}/include"
            "-DWARPFIBER_GALLERY_SOURCES=\"${CMAKE_CURRENT_SOURCE_DIR}\""
            "-DWARPFIBER_GALLERY_DATA=\"${CMAKE_CURRENT_SOURCE_DIR}/data\"")
  set(names "-DWARPFIBER_RECORDED_NAME=\"gallery\"" "-DWARPFIBER_RECORDED_SOURCE=\"\"" "-DWARPFIBER_RECORDED_OPTIONS=\"\"")
  set(objects)
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  foreach(source IN LISTS ARGN WARPFIBER_RECORDER_SOURCES)
    get_filename_component(stem "${source}" NAME_WE)
    get_filename_component(folder "${source}" DIRECTORY)
    get_filename_component(folder "${folder}" NAME)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/gpu_${folder}_${stem}.o")
    set(language -x cu)
    if(source IN_LIST WARPFIBER_RECORDER_SOURCES)
      set(language ${names})
    endif()
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${WARPFIBER_NVCC}" ${flags} ${language} -MD -MF "${object}.d" -c "${source}" -o "${object}"
      DEPENDS "${source}"
      DEPFILE "${object}.d"
      COMMENT "nvcc ${stem}"
      VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  set(wraps)
  foreach(name IN LISTS WARPFIBER_RECORDED_FUNCTIONS)
    list(APPEND wraps -Xlinker "--wrap=${name}")
  endforeach()
  set(program "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/warpfiber_crosscheck_gallery_gpu")
  add_custom_command(
    OUTPUT "${program}"
    COMMAND "${WARPFIBER_NVCC}" ${flags} -cudart static ${objects} ${wraps} -o "${program}"
    DEPENDS ${objects}
    VERBATIM)
  add_custom_target(warpfiber_crosscheck_gallery_gpu ALL DEPENDS "${program}")
  install(PROGRAMS "${program}" DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/warpfiber")
endfunction()
