# SPDX-License-Identifier: Apache-2.0
#
# A page of the documentation shows a program as it is, from its first include on.
#   cmake -DPROGRAM=<source> -DPAGE=<page> -P check_shown.cmake
file(READ "${PROGRAM}" program)
file(READ "${PAGE}" page)
string(FIND "${program}" "#include" first)
string(SUBSTRING "${program}" ${first} -1 program)
string(FIND "${page}" "```cpp\n${program}```" place)
if(place LESS 0)
  message(FATAL_ERROR "${PAGE} does not show ${PROGRAM} as it is")
endif()
