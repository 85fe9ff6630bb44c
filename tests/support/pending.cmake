# SPDX-License-Identifier: Apache-2.0
#
# Goldens that are compared byte for byte and wait for a recording of a GPU: their text is "pending: REASON".
#
# warpfiber_pending(<golden> <variable>): whether it waits; prints the reason, without which it is an error.
function(warpfiber_pending golden variable)
  file(READ "${golden}" text LIMIT 1000)
  if(NOT text MATCHES "^pending:")
    set(${variable} OFF PARENT_SCOPE)
    return()
  endif()
  string(REGEX REPLACE "^pending:[ \n]*" "" reason "${text}")
  if(reason STREQUAL "")
    message(FATAL_ERROR "${golden}: pending without a reason")
  endif()
  message("pending: ${golden}: ${reason}")
  set(${variable} ON PARENT_SCOPE)
endfunction()
