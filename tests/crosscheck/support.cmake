# SPDX-License-Identifier: Apache-2.0
#
# What the scripts here share that call `warpfiber crosscheck` and `warpfiber-dev record`. WARPFIBER is the command.

# crosscheck(<status> <text>... OPTIONS <word>...): what it prints has to contain every text.
function(crosscheck expected)
  expect("${expected}" "${WARPFIBER}" crosscheck ${ARGN})
endfunction()

# record(<status> <text>... OPTIONS <word>...): the same of `warpfiber-dev record`.
function(record expected)
  expect("${expected}" "${WARPFIBER}-dev" record ${ARGN})
endfunction()

function(expect expected program subcommand)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "OPTIONS")
  execute_process(COMMAND "${program}" "${subcommand}" ${arg_OPTIONS} RESULT_VARIABLE status OUTPUT_VARIABLE said
                  ERROR_VARIABLE complained)
  message("${said}${complained}")
  if(NOT status EQUAL expected)
    message(FATAL_ERROR "ended with ${status}, not ${expected}")
  endif()
  foreach(text IN LISTS arg_UNPARSED_ARGUMENTS)
    string(FIND "${said}${complained}" "${text}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "does not say \"${text}\"")
    endif()
  endforeach()
endfunction()
