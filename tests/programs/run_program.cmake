# SPDX-License-Identifier: Apache-2.0
#
# Builds a CUDA program with the drop-in for nvcc and runs it: it has to end with 0 and to say PASS.
# Arguments: WARPFIBER (the command), SOURCES, FLAGS (nvcc's), BINARY (the program to build), ARGUMENTS (the program's).
execute_process(COMMAND "${WARPFIBER}" nvcc ${FLAGS} ${SOURCES} -o "${BINARY}" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "building ${BINARY} ended with ${status}")
endif()
# Some programs make a kernel fail on purpose and compare what the next call returns, which the runtime cannot see.
execute_process(COMMAND "${CMAKE_COMMAND}" -E env WARPFIBER_EXITCODE=0 "${BINARY}" ${ARGUMENTS} OUTPUT_VARIABLE output RESULT_VARIABLE status)
message("${output}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${BINARY} ended with ${status}")
endif()
if(NOT output MATCHES "(^|\n)PASS\n$")
  message(FATAL_ERROR "${BINARY} did not end with PASS")
endif()
