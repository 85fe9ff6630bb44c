# SPDX-License-Identifier: Apache-2.0
#
# Compiles every header under NVIDIA's names alone: as CUDA source after the translator's preprocessor, those that
# ordinary programs include as C++17, and those that C programs include as C. Headers that differ in nothing but their
# names share a compilation, and so do those of C++20, of which each was alone as CUDA source. Compiles AFTER_USING, which
# has the main ones behind using directives, as CUDA and as C++. Names of one letter are macros where makefiles often
# define them.
#   cmake -DCXX=<C++ compiler> -DCC=<C compiler> -DINCLUDE=<include folder> -DAFTER_USING=<file> -P check_cuda.cmake
cmake_minimum_required(VERSION 3.25)
set(flags -Wall -Wextra -Werror -fsyntax-only "-I${INCLUDE}/cuda" "-I${INCLUDE}" "-I${INCLUDE}/opengl")
function(check compiler header)
  set(folder cuda)
  if(header MATCHES "^GL/")
    set(folder opengl)
  endif()
  execute_process(COMMAND "${compiler}" ${flags} ${ARGN} -include "${INCLUDE}/${folder}/${header}" /dev/null
                  RESULT_VARIABLE result)
  if(result)
    message(SEND_ERROR "${header} does not compile alone with ${compiler} ${ARGN}")
  endif()
endfunction()

# check_together(<compiler> <headers> <option>...): one compilation, in this order.
function(check_together compiler headers)
  list(TRANSFORM headers PREPEND "${INCLUDE}/cuda/")
  list(TRANSFORM headers PREPEND "-include;")
  execute_process(COMMAND "${compiler}" ${flags} ${ARGN} ${headers} /dev/null RESULT_VARIABLE result)
  if(result)
    message(SEND_ERROR "these headers do not compile together with ${compiler} ${ARGN}: ${headers}")
  endif()
endfunction()

# read_own_includes(<variable> <header>): of a header that holds nothing but includes, the names of those of ours, else
# its own name. Two headers with the same result differ in headers of the standard library at most.
function(read_own_includes variable header)
  file(READ "${INCLUDE}/cuda/${header}" text)
  string(REGEX REPLACE "//[^\n]*|#pragma once" "" text "${text}")
  string(REGEX MATCHALL "#include <[^>]+>" includes "${text}")
  string(REGEX REPLACE "#include <[^>]+>|[ \n]" "" text "${text}")
  list(TRANSFORM includes REPLACE "#include <(.*)>" "\\1")
  set(own)
  foreach(included IN LISTS includes)
    if(EXISTS "${INCLUDE}/cuda/${included}" OR EXISTS "${INCLUDE}/${included}")
      list(APPEND own "${included}")
    endif()
  endforeach()
  if(text)
    set(own "${header}")
  endif()
  list(JOIN own " " own)
  set(${variable} "${own}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE headers RELATIVE "${INCLUDE}/cuda" "${INCLUDE}/cuda/*.h" "${INCLUDE}/cuda/*.hpp"
     "${INCLUDE}/cuda/cuda/*")
list(FILTER headers EXCLUDE REGEX "^over_cccl/")  # in place of headers of NVIDIA's, which they include
# Makefiles say -DN=1024. T is NVIDIA's in cuda_runtime.h too.
set(letters)
foreach(letter A B C D E F G H I J K L M N O P Q R S U V W X Y Z)
  list(APPEND letters "-D${letter}=1024")
endforeach()
set(lettered cooperative_groups.h cooperative_groups/memcpy_async.h cooperative_groups/reduce.h
             cooperative_groups/scan.h cuda/atomic cuda/barrier cuda/cmath cuda/functional cuda/pipeline cuda_bf16.h
             cuda_fp16.h cuda_pipeline.h cuda_runtime.h)
set(as_cuda -std=gnu++20 -x c++ -D__CUDACC__ -D__WARPFIBER__)
set(contents)
set(renamed)
foreach(header IN LISTS headers)
  read_own_includes(content "${header}")
  set(macros)
  if(header IN_LIST lettered)
    set(macros ${letters})
  elseif(content IN_LIST contents OR (NOT content STREQUAL header AND content IN_LIST headers))
    list(APPEND renamed "${header}")
    continue()
  endif()
  list(APPEND contents "${content}")
  check("${CXX}" "${header}" ${as_cuda} ${macros})
endforeach()
check_together("${CXX}" "${renamed}" ${as_cuda})
set(ordinary cooperative_groups.h cuComplex.h cuda_bf16.h cuda_fp16.h cuda_fp4.h cuda_fp6.h cuda_fp8.h cuda_pipeline.h cuda_runtime.h
             cublasLt.h cublasXt.h cublas_v2.h cufft.h cufftXt.h cusolverDn.h cusolverMg.h cusolverRf.h cusolverSp.h
             cusolverSp_LOWLEVEL_PREVIEW.h cusparse.h cusparse_v2.h curand.h curand_kernel.h curand_mtgp32_host.h
             math_constants.h nvtx3/nvtx3.hpp)
foreach(header IN LISTS ordinary)
  check("${CXX}" "${header}" -std=c++17 -x c++)
endforeach()
check_together("${CXX}" "${ordinary}" -std=c++20 -x c++)
file(GLOB opengl RELATIVE "${INCLUDE}/opengl" "${INCLUDE}/opengl/GL/*.h")
foreach(header IN LISTS opengl)
  check("${CXX}" "${header}" -std=c++17 -x c++)
endforeach()
foreach(header ${opengl} cublasLt.h cublasXt.h cublas_v2.h cuComplex.h cuda.h cudaGL.h cuda_gl_interop.h cuda_profiler_api.h cuda_runtime_api.h cufftXt.h
               cusolverDn.h cusolverMg.h cusolverRf.h cusolverSp.h cusolverSp_LOWLEVEL_PREVIEW.h cusparse.h curand.h driver_functions.h library_types.h
               nvtx3/nvToolsExtCudaRt.h vector_types.h)
  check("${CC}" "${header}" -std=c11 -x c)
endforeach()

foreach(as "-std=c++20" "-std=gnu++20;-D__CUDACC__;-D__WARPFIBER__")
  execute_process(COMMAND "${CXX}" ${flags} ${as} -x c++ "${AFTER_USING}"
                  RESULT_VARIABLE result)
  if(result)
    message(SEND_ERROR "the headers do not compile behind using directives with ${CXX} ${as}")
  endif()
endforeach()

# Helpers of NVIDIA's samples name a library's statuses where its header has defined this.
set(preprocessing ${flags})
list(REMOVE_ITEM preprocessing -fsyntax-only)
foreach(pair cublas_v2.h:CUBLAS_API_H_ cusolverDn.h:CUSOLVER_COMMON_H_ cusparse.h:CUSPARSEAPI)
  string(REPLACE ":" ";" pair "${pair}")
  list(GET pair 0 header)
  list(GET pair 1 macro)
  execute_process(COMMAND "${CXX}" ${preprocessing} -std=c++17 -x c++ -dM -E -include "${INCLUDE}/cuda/${header}" /dev/null
                  OUTPUT_VARIABLE macros)
  if(NOT macros MATCHES "#define ${macro}[ \n]")
    message(SEND_ERROR "${header} does not define ${macro}")
  endif()
endforeach()
