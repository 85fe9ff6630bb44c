# SPDX-License-Identifier: Apache-2.0
#
# The gallery against recordings of which one is missing, or damaged: what is not compared is no success.
# Arguments: WARPFIBER (the command), RECORDINGS (a folder of the gallery's), WORK (a scratch folder).
file(REMOVE_RECURSE "${WORK}")
file(COPY "${RECORDINGS}/" DESTINATION "${WORK}")
include("${CMAKE_CURRENT_LIST_DIR}/support.cmake")

set(saxpy "${WORK}/gallery-88f3b5be.recording")
set(kernels --replay "${WORK}" -- saxpy vector_add)
crosscheck(0 "2 kernels, 2 equal, 0 different, 0 not compared" OPTIONS ${kernels})
file(WRITE "${saxpy}" "something else")
crosscheck(2 "is not a recording" "1 equal, 0 different, 1 not compared" "counts as a failure: saxpy" OPTIONS ${kernels})
file(REMOVE "${saxpy}")
crosscheck(2 "no recording ${saxpy}" "1 equal, 0 different, 1 not compared" "counts as a failure: saxpy" OPTIONS ${kernels})
crosscheck(0 "1 kernel, 1 equal" OPTIONS --replay "${WORK}" -- vector_add)
crosscheck(2 "2 not compared" OPTIONS --replay "${WORK}/nowhere" -- saxpy vector_add)
crosscheck(2 "there is no kernel 'moon'" OPTIONS --replay "${WORK}" -- moon)
