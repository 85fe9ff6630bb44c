# SPDX-License-Identifier: Apache-2.0
#
# Builds a CUDA program with the drop-in for nvcc, runs it on several schedules, and compares its standard output with
# what hardware printed, byte for byte. Arguments: WARPFIBER (the command), SOURCE, BINARY (the program to build), GOLDEN,
# COMPILER (host compiler), MATRIX (ON: every schedule of the matrix, optimised, and held to nvcc's rules, which takes a
# second compilation; else a few, and built in a hurry: the programs run for milliseconds).
if(MATRIX)
  set(building -O2)
else()
  set(building -O0 -fno-nvcc-rules)
endif()
execute_process(COMMAND "${WARPFIBER}" nvcc -std=c++17 -arch=sm_90 --expt-relaxed-constexpr --extended-lambda ${building}
                        -ccbin "${COMPILER}" "${SOURCE}" -o "${BINARY}" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "building ${BINARY} ended with ${status}")
endif()

# Without a recording each schedule has to print what the first one printed.
include("${CMAKE_CURRENT_LIST_DIR}/../../support/pending.cmake")
warpfiber_pending("${GOLDEN}" pending)

# run(<name of the schedule> <NAME=value>...)
function(run name)
  set(output "${BINARY}.${name}.txt")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${ARGN} "${BINARY}" OUTPUT_FILE "${output}" ERROR_VARIABLE complaints
                  RESULT_VARIABLE status)
  list(JOIN ARGN " " environment)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${complaints}${environment} ${BINARY} ended with ${status}")
  endif()
  if(pending)
    file(RENAME "${output}" "${BINARY}.first.txt")
    set(GOLDEN "${BINARY}.first.txt" PARENT_SCOPE)
    set(pending OFF PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${output}" "${GOLDEN}" RESULT_VARIABLE differ)
  if(differ)
    message(FATAL_ERROR "${environment} ${BINARY}: the output differs from the hardware's: diff ${output} ${GOLDEN}")
  endif()
  file(REMOVE "${output}")
endfunction()

# random(<number of seeds>)
function(random seeds)
  foreach(seed RANGE 1 ${seeds})
    run(random-${seed} WARPFIBER_WORKERS=1 WARPFIBER_POLICY=random WARPFIBER_SEED=${seed})
  endforeach()
endfunction()

run(2-workers WARPFIBER_WORKERS=2)
if(NOT MATRIX)
  random(3)
  return()
endif()
run(1-worker WARPFIBER_WORKERS=1)
random(50)
run(random-2-workers WARPFIBER_WORKERS=2 WARPFIBER_POLICY=random WARPFIBER_SEED=1)
foreach(seed RANGE 1 3)
  run(pct-${seed} WARPFIBER_WORKERS=1 WARPFIBER_POLICY=pct:3 WARPFIBER_SEED=${seed})
endforeach()
