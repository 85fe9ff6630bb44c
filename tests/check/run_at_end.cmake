# SPDX-License-Identifier: Apache-2.0
#
# Runs a checked program that waits for nothing, and compares exit codes and what is printed. Arguments: WARPFIBER (the
# command), SOURCE, WORK (a scratch folder).
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${WARPFIBER}" nvcc -fcheck "${SOURCE}" -o "${WORK}/checked" COMMAND_ERROR_IS_FATAL ANY)

# expect(<status> <text on standard error> <command>...)
function(expect status text)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE ended ERROR_VARIABLE said OUTPUT_QUIET)
  string(FIND "${said}" "${text}" at)
  if(NOT ended EQUAL status OR at EQUAL -1)
    message(SEND_ERROR "${ARGN}: ended with ${ended}, not ${status}, or does not say \"${text}\" but:\n${said}")
  endif()
endfunction()

expect(0 "" ./checked fill return)
expect(66 "oob-global" ./checked beyond exit)
foreach(end IN ITEMS return exit quick _exit stream thread)
  expect(66 "race-global" ./checked race ${end})
endforeach()
foreach(end IN ITEMS return quick)
  expect(66 "livelock" ./checked hang ${end})
endforeach()
expect(66 "2 errors were found, so the exit code is 66" ./checked refused-race return)
expect(66 "freed: " ./checked race static)
expect(66 "the process is ending, and CUDA's runtime with it" ./checked fill static-launch)
# A program that fails says so itself.
expect(5 "race-global" ./checked race fail)
expect(5 "race-global" ./checked race quick-fail)
# The variable.
expect(0 "race-global" "${CMAKE_COMMAND}" -E env WARPFIBER_EXITCODE=0 ./checked race return)
expect(7 "race-global" "${CMAKE_COMMAND}" -E env WARPFIBER_EXITCODE=7 ./checked race quick)
expect(66 "a number from 0 to 255" "${CMAKE_COMMAND}" -E env WARPFIBER_EXITCODE=x ./checked race exit)
# What cannot run is reported.
expect(66 "exit() was called in a host" ./checked fill function)
# Children judge themselves, and their verdicts count.
expect(0 "child: 66" ./checked race child)
expect(1 "1 error in 1 run" "${WARPFIBER}" check ./checked -- race child)
expect(1 "livelock" "${WARPFIBER}" check ./checked -- hang return)
# Without hooks kernels that nobody waits for are dropped, as by a device, unless checking is asked for.
execute_process(COMMAND "${WARPFIBER}" nvcc "${SOURCE}" -o "${WORK}/plain" COMMAND_ERROR_IS_FATAL ANY)
expect(0 "" ./plain hang return)
expect(66 "livelock" "${CMAKE_COMMAND}" -E env WARPFIBER_CHECK=1 ./plain hang return)
expect(66 "the program ignored the error" ./plain hang sync)
expect(0 "compared" ./plain hang compares)
expect(0 "livelock" ./plain hang asks)
expect(3 "no access hooks" "${WARPFIBER}" check ./plain -- fill return)
# The command behind "again" works as it is printed.
execute_process(COMMAND "${WARPFIBER}" run "-DTEXT=it is" "${SOURCE}" -- hang sync WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE ended
                ERROR_VARIABLE said OUTPUT_QUIET)
string(REGEX MATCH "again  ([^\n]*)" found "${said}")
expect(66 "livelock" sh -c "${CMAKE_MATCH_1}")
