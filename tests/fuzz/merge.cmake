# SPDX-License-Identifier: Apache-2.0
#
# Shards of random programs, and `warpfiber merge` of their files.
# Arguments: WARPFIBER, DEVELOPERS (the two commands), WORK (a scratch folder).
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# run(<status> <what standard error says> <command>...)
function(run status says)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE ended OUTPUT_VARIABLE printed ERROR_VARIABLE said)
  if(NOT ended EQUAL status OR NOT said MATCHES "${says}")
    message(FATAL_ERROR "${ARGN}: ended with ${ended}, not ${status}, or does not say \"${says}\":\n${printed}${said}")
  endif()
endfunction()

foreach(shard 1 2 3)
  run(0 "shard ${shard}/3: seeds" "${DEVELOPERS}" fuzz --seeds 9991..10010 --shard ${shard}/3 --json part-%s.json)
endforeach()
run(0 "3 of 3 shards, 20 of 20 seeds\n.*10 against NVIDIA H200.*no difference in 20 programs" "${WARPFIBER}" merge --json all.json
    part-1.json part-2.json part-3.json)
run(0 "3 of 3 shards, 20 of 20 seeds" "${WARPFIBER}" merge all.json)
run(3 "shard 2 of 3 of seeds 9991..10010 is missing: 7 seeds were not run" "${WARPFIBER}" merge part-1.json part-3.json)
run(2 "leave out --sarif, --junit and --format" "${WARPFIBER}" merge --sarif all.sarif part-1.json)
run(0 "no seeds of 1..2" "${DEVELOPERS}" fuzz --seeds 1..2 --shard 3/3 --against model --json model.json)
run(2 "model.json: was made with other options: '--against model', not ''" "${WARPFIBER}" merge part-1.json model.json)
# A difference that a shard has found.
file(READ "${WORK}/part-2.json" text)
string(JSON text SET "${text}" differences "[{\"seed\": 9999, \"operation\": \"call(#)\", \"text\": \"seed 9999: differs\\n\", \"programs\": 1}]")
file(WRITE "${WORK}/part-2.json" "${text}")
run(1 "seed 9999: differs\n.*1 of 20 programs differ" "${WARPFIBER}" merge part-1.json part-2.json part-3.json)
