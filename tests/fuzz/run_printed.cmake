# SPDX-License-Identifier: Apache-2.0
#
# Prints the program of a seed, builds it and runs it: it fails by itself if its digest is not the recorded one.
# Arguments: WARPFIBER (the command), SEED, WORK (a folder).
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV} ended with ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(program "${WORK}/printed_${SEED}")
run("${WARPFIBER}-dev" fuzz --print "${SEED}")
if(NOT output MATCHES "the digest is that of NVIDIA H200")
  message(FATAL_ERROR "the program of seed ${SEED} does not say whose digest it expects")
endif()
file(WRITE "${program}.cu" "${output}")
run("${WARPFIBER}" nvcc -arch=sm_90 "${program}.cu" -o "${program}")
run("${program}")
