# SPDX-License-Identifier: Apache-2.0
#
# Runs `warpfiber check` once and compares status, what it prints, and the ids of the findings in all three formats.
# Arguments: WARPFIBER (the command), PROGRAM (or its source), WORK (a scratch folder), STATUS, SAYS, MATCHES, PRINTS,
# FINDS, OPTIONS, ARGUMENTS, REPLAYS, INPUT.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
# So that reports name the command in a word.
cmake_path(GET WARPFIBER PARENT_PATH folder)
set(ENV{PATH} "${folder}:$ENV{PATH}")
file(WRITE "${WORK}/in.txt" "${INPUT}")
execute_process(
  COMMAND "${WARPFIBER}" check --json "${WORK}/out.json" --sarif "${WORK}/out.sarif" --junit "${WORK}/out.xml" ${OPTIONS}
          "${PROGRAM}" -- ${ARGUMENTS}
  WORKING_DIRECTORY "${WORK}"
  INPUT_FILE "${WORK}/in.txt"
  RESULT_VARIABLE status
  OUTPUT_FILE "${WORK}/out.txt"
  ERROR_VARIABLE said)
message("${said}")
if(NOT status EQUAL STATUS)
  message(FATAL_ERROR "ended with ${status}, not ${STATUS}")
endif()
foreach(text IN LISTS SAYS)
  string(FIND "${said}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "does not say \"${text}\"")
  endif()
endforeach()
if(NOT said MATCHES "${MATCHES}")
  message(FATAL_ERROR "does not match \"${MATCHES}\"")
endif()
file(READ "${WORK}/out.txt" printed LIMIT 4096)
foreach(text IN LISTS PRINTS)
  string(FIND "${printed}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "does not print \"${text}\" but \"${printed}\"")
  endif()
endforeach()
if(NOT EXISTS "${WORK}/out.json")
  if(FINDS)
    message(FATAL_ERROR "no document was written")
  endif()
  return()
endif()

file(READ "${WORK}/out.json" json)
file(READ "${WORK}/out.sarif" sarif)
file(READ "${WORK}/out.xml" xml)
string(JSON count LENGTH "${json}" findings)
string(JSON results LENGTH "${sarif}" runs 0 results)
list(LENGTH FINDS expected)
if(NOT count EQUAL expected OR NOT results EQUAL expected)
  message(FATAL_ERROR "${count} findings and ${results} results, not ${expected}")
endif()
set(index 0)
foreach(id IN LISTS FINDS)
  string(JSON found GET "${json}" findings ${index} id)
  string(JSON severity GET "${json}" findings ${index} severity)
  string(JSON result GET "${sarif}" runs 0 results ${index} ruleId)
  if(severity STREQUAL "error")
    set(case "<failure type=\"${id}\"")
  else()
    set(case "<system-out>${id}")
  endif()
  if(NOT found STREQUAL id OR NOT result STREQUAL id OR NOT xml MATCHES "${case}")
    message(FATAL_ERROR "finding ${index} is ${found}, ${result} in SARIF, not ${id}")
  endif()
  math(EXPR index "${index} + 1")
endforeach()

if(REPLAYS)
  string(JSON seed GET "${json}" findings 0 seed)
  execute_process(
    COMMAND "${WARPFIBER}" check --seed ${seed} --policy "replay:${REPLAYS}" --json "${WORK}/again.json" "${PROGRAM}"
    WORKING_DIRECTORY "${WORK}"
    OUTPUT_QUIET ERROR_QUIET)
  file(READ "${WORK}/again.json" again)
  string(JSON id GET "${again}" findings 0 id)
  if(NOT id STREQUAL FINDS)
    message(FATAL_ERROR "the schedule in ${REPLAYS} finds ${id}")
  endif()
endif()
