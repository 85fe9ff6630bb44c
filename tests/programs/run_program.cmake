# SPDX-License-Identifier: Apache-2.0
#
# Builds a CUDA program with the drop-in for nvcc and runs it: it has to end with 0 and to say PASS.
# Arguments: WARPFIBER (the command), SOURCES, FLAGS (nvcc's), BINARY (the program to build), ARGUMENTS (the program's).
# Without SOURCES it is there already.
if(SOURCES)
  execute_process(COMMAND "${WARPFIBER}" nvcc ${FLAGS} ${SOURCES} -o "${BINARY}" RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "building ${BINARY} ended with ${status}")
  endif()
endif()
execute_process(COMMAND "${BINARY}" ${ARGUMENTS} OUTPUT_VARIABLE output RESULT_VARIABLE status)
message("${output}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${BINARY} ended with ${status}")
endif()
if(NOT output MATCHES "(^|\n)PASS\n$")
  message(FATAL_ERROR "${BINARY} did not end with PASS")
endif()
