# SPDX-License-Identifier: Apache-2.0
#
# Installs Warpfiber to a fresh prefix, builds a user's project against it and runs what came out.
#   cmake -DBUILD=<build tree> -DWORK=<scratch folder> -DCOMPILER=<C++ compiler> -DGENERATOR=<generator> -P check.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/block_sum")
run("${WORK}/build/native_program")
run("${WORK}/build/cuda_program")
run("${WORK}/build/checked_block_sum")
run("${WORK}/build/checked_program")
run("${WORK}/prefix/bin/warpfiber-nvcc" -DSIZE=96 "${CMAKE_CURRENT_LIST_DIR}/project/main.cu" "${CMAKE_CURRENT_LIST_DIR}/project/kernels.cu"
    -ccbin "${COMPILER}" -o "${WORK}/by_command" -run)
