# SPDX-License-Identifier: Apache-2.0
#
# Installs Warpfiber to a fresh prefix, builds a user's project against it and runs what came out.
#   cmake -DBUILD=<build tree> -DWORK=<scratch folder> -DCOMPILER=<C++ compiler> -DGENERATOR=<generator>
#         -DCUDA_LIBRARIES=<whether those are installed> -P check.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
# An installation may be moved.
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/elsewhere")
file(RENAME "${WORK}/elsewhere" "${WORK}/prefix")

# The documentation is in it, and the command finds it there.
foreach(file man/man1/warpfiber.1 man/man1/warpfiber-check.1 bash-completion/completions/warpfiber
             zsh/site-functions/_warpfiber fish/vendor_completions.d/warpfiber.fish doc/warpfiber/README.md
             doc/warpfiber/docs/checking.md doc/warpfiber/docs/findings/race-shared.md doc/warpfiber/examples/reduce.cu)
  if(NOT EXISTS "${WORK}/prefix/share/${file}")
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()
execute_process(COMMAND "${WORK}/prefix/bin/warpfiber" explain OUTPUT_VARIABLE pages COMMAND_ERROR_IS_FATAL ANY)
string(FIND "${pages}" "in ${WORK}/prefix/share/doc/warpfiber/docs:\n" listed)
if(listed EQUAL -1 OR NOT pages MATCHES "\n  checking ")
  message(FATAL_ERROR "warpfiber explain does not list the installed pages:\n${pages}")
endif()
run("${WORK}/prefix/bin/warpfiber" explain race-shared)
run("${WORK}/prefix/bin/warpfiber" explain checking)

run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/project" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/block_sum")
run("${WORK}/build/native_program")
if(EXISTS "${WORK}/build/sanitized_waits")
  run("${WORK}/build/sanitized_waits")
endif()
run("${WORK}/build/cuda_program")
run("${WORK}/build/regions_program")
run("${WORK}/build/checked_block_sum")
run("${WORK}/build/checked_program")
run("${WORK}/prefix/bin/warpfiber-nvcc" -DSIZE=96 "${CMAKE_CURRENT_LIST_DIR}/project/main.cu" "${CMAKE_CURRENT_LIST_DIR}/project/kernels.cu"
    -ccbin "${COMPILER}" -o "${WORK}/by_command" -run)

# CUDA as a language of CMake's, where no toolkit is on the path, also by way of what find_package(CUDAToolkit) finds.
string(REGEX REPLACE "(^|:)[^:]*cuda[^:]*" "" path "$ENV{PATH}")
run("${CMAKE_COMMAND}" -E env "PATH=${path}" --unset=CUDACXX --unset=CUDA_PATH
    "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/language" -B "${WORK}/language"
    "-DCMAKE_CUDA_COMPILER=${WORK}/prefix/bin/warpfiber-nvcc" "-DCMAKE_CUDA_HOST_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_ARCHITECTURES=native
    "-DCUDA_LIBRARIES=${CUDA_LIBRARIES}")
run("${CMAKE_COMMAND}" --build "${WORK}/language")
run("${WORK}/language/program")

# Makefiles know a toolkit by its folder, and may leave the link to the host compiler.
file(GLOB_RECURSE found "${WORK}/prefix/lib*/libcudart_static.a")
list(GET found 0 found)
get_filename_component(toolkit "${found}/../.." ABSOLUTE)
# So does the module that CMake had before.
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/module" -B "${WORK}/module" "-DCUDA_TOOLKIT_ROOT_DIR=${toolkit}"
    "-DCUDA_HOST_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_POLICY_DEFAULT_CMP0146=OLD)
run("${CMAKE_COMMAND}" --build "${WORK}/module")
run("${WORK}/module/program")

file(MAKE_DIRECTORY "${WORK}/objects")
run("${toolkit}/bin/nvcc" -ccbin "${COMPILER}" -DSIZE=32 -c -odir "${WORK}/objects" "${CMAKE_CURRENT_LIST_DIR}/project/main.cu"
    "${CMAKE_CURRENT_LIST_DIR}/project/kernels.cu")
run("${COMPILER}" "${WORK}/objects/main.o" "${WORK}/objects/kernels.o" "-L${toolkit}/lib64" -lcudart -o "${WORK}/by_hand")
run("${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${toolkit}/lib64" "${WORK}/by_hand")
run("${COMPILER}" "${WORK}/objects/main.o" "${WORK}/objects/kernels.o" "-L${toolkit}/lib64" -lcudart_static -o "${WORK}/by_hand_static")
run("${WORK}/by_hand_static")

# Others find nvcc on the path, and link with the compiler of their C files.
find_program(c_compiler NAMES cc gcc clang REQUIRED)
run("${CMAKE_COMMAND}" -E env "PATH=${toolkit}/bin:$ENV{PATH}"
    nvcc -ccbin "${COMPILER}" -DSIZE=32 -c -odir "${WORK}/objects" "${CMAKE_CURRENT_LIST_DIR}/project/main.cu")
# Their host files see no other folder than the toolkit's.
run("${COMPILER}" "-I${toolkit}/include" -c "${CMAKE_CURRENT_LIST_DIR}/language/host.cpp" -o "${WORK}/objects/host.o")
run("${c_compiler}" "${WORK}/objects/main.o" "${WORK}/objects/kernels.o" "-L${toolkit}/lib64" -lcuda -lcudart -lstdc++ -o
    "${WORK}/by_c")
run("${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${toolkit}/lib64" "${WORK}/by_c")
