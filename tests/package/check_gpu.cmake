# SPDX-License-Identifier: Apache-2.0
#
# Installs Warpfiber to a fresh prefix and builds a user's programs for a GPU, which takes nvcc and no GPU.
#   cmake -DBUILD=<build tree> -DWORK=<scratch folder> -DGENERATOR=<generator> -P check_gpu.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${WORK}/build"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" -DWARPFIBER_BACKEND=gpu -DWARPFIBER_CUDA_ARCHITECTURE=sm_90)
run("${CMAKE_COMMAND}" --build "${WORK}/build" --target native_program cuda_program)
# Without a GPU it says so.
execute_process(COMMAND "${CMAKE_COMMAND}" -E env CUDA_VISIBLE_DEVICES= "${WORK}/build/native_program"
                RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE complained)
if(status EQUAL 0 OR NOT complained MATCHES "no memory of a GPU: cudaError")
  message(FATAL_ERROR "native_program ended with ${status} without a GPU and said ${said}${complained}")
endif()
# What is built for a GPU has nothing of the simulator in it.
foreach(program native_program cuda_program)
  file(STRINGS "${WORK}/build/${program}" found REGEX "WARPFIBER_WORKERS" LIMIT_COUNT 1)
  file(STRINGS "${WORK}/build/${program}" kernels REGEX "nv_fatbin" LIMIT_COUNT 1)
  if(found OR NOT kernels)
    message(FATAL_ERROR "${program} was not built for a GPU")
  endif()
endforeach()
