# SPDX-License-Identifier: Apache-2.0
#
# Whole numbers that look like floats are never equal within a tolerance of floats, unless the user says they are floats.
# Arguments: WARPFIBER (the command), SOURCE, WORK (a scratch folder).
file(REMOVE_RECURSE "${WORK}")
include("${CMAKE_CURRENT_LIST_DIR}/support.cmake")

set(replays --replay "${WORK}" "${SOURCE}")
record(0 "3 buffers" OPTIONS --nvcc "${WARPFIBER}-nvcc" --to "${WORK}" "${SOURCE}")
crosscheck(0 "integers  equal: 3 buffers" OPTIONS ${replays})
# A user's choice of a GPU is none of the simulated devices.
set(ENV{CUDA_VISIBLE_DEVICES} 5)
crosscheck(0 "integers  equal: 3 buffers" OPTIONS ${replays})
unset(ENV{CUDA_VISIBLE_DEVICES})
foreach(way line managed)
  set(ENV{WRONG} ${way})
  crosscheck(1 "element 8 of 32 (int32): the simulator has 1073741881, the GPU 1073741880" OPTIONS ${replays})
endforeach()
set(ENV{WRONG} function)
crosscheck(1 "byte 32 of 128" "its type is not known" "--as float" OPTIONS ${replays})
crosscheck(1 "element 8 of 32 (int32)" OPTIONS --as int ${replays})
crosscheck(0 "1 within the tolerance" OPTIONS --as float ${replays})
