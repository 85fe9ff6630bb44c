# SPDX-License-Identifier: Apache-2.0
#
# Runs a conformance program and compares its standard output with what hardware printed, byte for byte.
# Arguments: PROGRAM, GOLDEN, OUTPUT (where the output is kept), ENVIRONMENT (list of NAME=value).
execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${ENVIRONMENT} "${PROGRAM}" OUTPUT_FILE "${OUTPUT}" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/../support/pending.cmake")
warpfiber_pending("${GOLDEN}" pending)
if(pending)
  return()
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${OUTPUT}" "${GOLDEN}" RESULT_VARIABLE differ)
if(differ)
  message(FATAL_ERROR "the output differs from the hardware's: diff ${OUTPUT} ${GOLDEN}")
endif()
