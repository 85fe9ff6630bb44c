# SPDX-License-Identifier: Apache-2.0
#
# Runs `warpfiber check` once and compares status, standard error, and the ids of the findings in all three formats.
# Arguments: WARPFIBER (the command), SOURCE, WORK (a scratch folder), STATUS, SAYS, FINDS, OPTIONS, ARGUMENTS, BINARY.
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(program "${SOURCE}")
if(BINARY)
  set(program "${WORK}/program")
  execute_process(COMMAND "${WARPFIBER}" nvcc "${SOURCE}" -o "${program}" COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(
  COMMAND "${WARPFIBER}" check --json "${WORK}/out.json" --sarif "${WORK}/out.sarif" --junit "${WORK}/out.xml" ${OPTIONS}
          "${program}" -- ${ARGUMENTS}
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
  string(JSON result GET "${sarif}" runs 0 results ${index} ruleId)
  if(NOT found STREQUAL id OR NOT result STREQUAL id OR NOT xml MATCHES "<failure type=\"${id}\"")
    message(FATAL_ERROR "finding ${index} is ${found}, ${result} in SARIF, not ${id}")
  endif()
  math(EXPR index "${index} + 1")
endforeach()
