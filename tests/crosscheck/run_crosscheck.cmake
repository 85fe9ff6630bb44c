# SPDX-License-Identifier: Apache-2.0
#
# Records a run, replays it against the same program and against one that is wrong, and takes the recording apart.
# Arguments: WARPFIBER (the command), SOURCE, WORK (a scratch folder).
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

include("${CMAKE_CURRENT_LIST_DIR}/support.cmake")

# line_of(<mark> <variable>): the line of the source that is marked so.
function(line_of mark variable)
  file(STRINGS "${SOURCE}" lines)
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line MATCHES "// ${mark}")
      set(${variable} ${number} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

set(records --nvcc "${WARPFIBER}-nvcc" --to "${WORK}/recordings" "${SOURCE}" -- a b)
set(replays --replay "${WORK}/recordings" "${SOURCE}" -- a b)
record(0 "recorded on NVIDIA H200" "exit code 7, 9 buffers" OPTIONS ${records})
crosscheck(0 "every_copy  equal: 9 buffers" "and 3 lines" OPTIONS ${replays})

line_of("@copy" copy)
line_of("@wrong" wrong)
set(ENV{WRONG} 1)
crosscheck(1 "copy 4 (cudaMemcpyAsync at" "every_copy.cu:${copy}, 128 bytes) differs"
           "element 21 of 32 (float): the simulator has 6.25, the GPU 5.25" "every_copy.cu:${wrong}, thread (21,0,0)" "the values are too far apart"
           OPTIONS ${replays})
unset(ENV{WRONG})

line_of("@left" left)
set(ENV{WRONG_MANAGED} 1)
crosscheck(1 "managed memory 2 (cudaMallocManaged at" "every_copy.cu:${left}, 128 bytes) differs"
           "element 21 of 32 (float): the simulator has 337, the GPU 336" "every_copy.cu:${wrong}, thread (21,0,0)"
           OPTIONS ${replays})
unset(ENV{WRONG_MANAGED})

crosscheck(2 "there is no recording of this program" OPTIONS --replay "${WORK}/recordings" "${SOURCE}" -- a)
crosscheck(2 "recorded with the macros '', not '-DN=3'" OPTIONS -DN=3 ${replays})
file(GLOB recording "${WORK}/recordings/*.recording")
file(WRITE "${recording}" "something else")
crosscheck(2 "is not a recording of warpfiber crosscheck" OPTIONS ${replays})

# Both sides have the host compiler that CXX names, where nothing else names one.
set(fake "${WORK}/nvcc")
file(WRITE "${fake}" "#!/bin/sh\necho \"nvcc: $*\"\nexit 1\n")
file(CHMOD "${fake}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{CXX} clang++-77)
crosscheck(2 "-ccbin clang++-77" OPTIONS --nvcc "${fake}" "${SOURCE}")
crosscheck(2 "-ccbin g++-66" OPTIONS --nvcc "${fake}" -ccbin g++-66 "${SOURCE}")
unset(ENV{CXX})

# What is built for a GPU ends with 3 where there is none.
file(WRITE "${fake}" "#!/bin/sh\nfor last; do :; done\nprintf '#!/bin/sh\\nexit 3\\n' > \"$last\"\nchmod +x \"$last\"\n")
crosscheck(3 "there is no GPU here" OPTIONS --nvcc "${fake}" "${SOURCE}")
record(3 "warpfiber-dev record: " "there is no GPU here" OPTIONS --to "${WORK}/none" --nvcc "${fake}" "${SOURCE}")

crosscheck(2 "cannot be run" OPTIONS --nvcc "${WORK}/nowhere" "${SOURCE}")
crosscheck(2 "no such file" OPTIONS "${WORK}/nowhere.cu")
