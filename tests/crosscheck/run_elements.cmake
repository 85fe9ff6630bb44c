# SPDX-License-Identifier: Apache-2.0
#
# The compiler tells what the elements of a copy are: the last bit of a float is within the tolerance, that of a number
# is not, and a structure of several kinds has no rule.
# Arguments: WARPFIBER (the command), SOURCE, WORK (a scratch folder).
file(REMOVE_RECURSE "${WORK}")
include("${CMAKE_CURRENT_LIST_DIR}/support.cmake")

set(replays --replay "${WORK}" "${SOURCE}")
record(0 "12 buffers" OPTIONS --nvcc "${WARPFIBER}-nvcc" --to "${WORK}" "${SOURCE}")
set(ENV{WRONG} "float half vector point complex bytes symbol box array managed")
crosscheck(0 "elements  equal" "10 within the tolerance" OPTIONS ${replays})
set(ENV{WRONG} number)
crosscheck(1 "element 8 of 32 (int32): the simulator has 8, the GPU 7" OPTIONS ${replays})
set(ENV{WRONG} mixed)
crosscheck(1 "byte 32 of 128" "its type is not known" OPTIONS ${replays})
