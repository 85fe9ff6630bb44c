# SPDX-License-Identifier: Apache-2.0
#
# Compiles every public header alone, but nvcc.hpp, which is nvcc's, those under NVIDIA's names
# (check_cuda.cmake) and the adapters for test frameworks (tests/testing).
#   cmake -DCOMPILER=<C++ compiler> -DINCLUDE=<include folder> -P check.cmake
file(GLOB_RECURSE headers "${INCLUDE}/*.hpp")
list(FILTER headers EXCLUDE REGEX "/nvcc\\.hpp$|/include/cuda/|/warpfiber/testing/")
foreach(header IN LISTS headers)
  execute_process(COMMAND "${COMPILER}" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -x c++ "-I${INCLUDE}" -include
                          "${header}" /dev/null RESULT_VARIABLE result)
  if(result)
    message(SEND_ERROR "${header} does not compile alone with ${COMPILER}")
  endif()
endforeach()
