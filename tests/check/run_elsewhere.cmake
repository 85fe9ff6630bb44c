# SPDX-License-Identifier: Apache-2.0
#
# Compiles SOURCE with COMPILER in the folder ROOT, below which the library's headers are, and runs it in another one:
# clang names files from the folder that it was started in. The checker has to find nothing.
get_filename_component(folder "${PROGRAM}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND "${WARPFIBER}" nvcc -fcheck -ccbin "${COMPILER}" "${SOURCE}" -o "${PROGRAM}"
                WORKING_DIRECTORY "${ROOT}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PROGRAM}" WORKING_DIRECTORY "${folder}" RESULT_VARIABLE code OUTPUT_VARIABLE said
                ERROR_VARIABLE report)
if(NOT code EQUAL 0 OR NOT report STREQUAL "" OR NOT said MATCHES "PASS")
  message(FATAL_ERROR "exit code ${code}\n${said}\n${report}")
endif()
