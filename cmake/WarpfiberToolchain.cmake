# SPDX-License-Identifier: Apache-2.0
#
# toolchain.json: what `warpfiber nvcc` hands to the host compiler, once for the build tree and once for the installed
# tree. A path that begins with @ is relative to the folder that the file is in.
set(linking "-pthread" "-ldl")
if(Boost::context IN_LIST WARPFIBER_LINK_TARGETS)
  list(APPEND linking "-L$<TARGET_LINKER_FILE_DIR:Boost::context>" "-lboost_context")
endif()
if(WARPFIBER_SANITIZE)
  list(PREPEND linking ${WARPFIBER_SANITIZE_FLAGS})
endif()
set(definitions ${WARPFIBER_PUBLIC_DEFINITIONS})
list(TRANSFORM definitions PREPEND "-D")

# warpfiber_json_list(<variable> <word>...)
function(warpfiber_json_list variable)
  list(TRANSFORM ARGN PREPEND "\"")
  list(TRANSFORM ARGN APPEND "\"")
  list(JOIN ARGN ", " joined)
  set(${variable} "[${joined}]" PARENT_SCOPE)
endfunction()

# warpfiber_write_toolchain(<file> <folder of the library> <folder of CUDA's headers> <folder of ours>
#                           <folder of the recorder> <the gallery's program> <folder of its data> <its recordings>
#                           <folder of docs> <folder of the assembler> <file of commands for gdb>
#                           <folder for precompiled headers, or "" for the user's>)
function(warpfiber_write_toolchain file library_folder cuda_headers headers recorder gallery gallery_data recordings pages
         assembler debugger cache)
  set(static "-L@cuda/lib64" "${library_folder}/$<TARGET_LINKER_FILE_NAME:warpfiber>" ${linking})
  set(libraries false)
  if(TARGET cuda_libraries)
    set(libraries true)
    list(INSERT static 1 "${library_folder}/$<TARGET_LINKER_FILE_NAME:cuda_libraries>")
  endif()
  set(shared)
  set(program)
  if(WARPFIBER_SHARED)
    set(program "-Wl,-u,warpfiber_current_thread" "${library_folder}/$<TARGET_LINKER_FILE_NAME:warpfiber_program>")
    set(shared "-L@cuda/lib64" "${library_folder}/$<TARGET_LINKER_FILE_NAME:warpfiber_shared>"
               "-Wl,-rpath,${library_folder}" "-pthread")
    if(TARGET cuda_libraries)
      # Only programs that call it load it.
      list(INSERT shared 1 "-Wl,--as-needed" "${library_folder}/$<TARGET_LINKER_FILE_NAME:cuda_libraries_shared>"
           "-Wl,--no-as-needed")
    endif()
  endif()
  # Where the system has OpenGL, its headers and libraries come before ours.
  warpfiber_json_list(preprocessing "-I${cuda_headers}" "-I${headers}" "-idirafter@opengl/fallback" ${definitions})
  warpfiber_json_list(compiling "-fstack-clash-protection")
  warpfiber_json_list(loaded ${WARPFIBER_TLS_FLAGS})
  warpfiber_json_list(shared ${shared})
  warpfiber_json_list(static ${static})
  warpfiber_json_list(program ${program})
  set(plugin "")
  if(TARGET warpfiber_regions)
    set(plugin "@$<TARGET_FILE_NAME:warpfiber_regions>")
  endif()
  warpfiber_json_list(checking "${library_folder}/$<TARGET_FILE_NAME:warpfiber_hooks>")
  warpfiber_json_list(checking_library "${library_folder}/$<TARGET_FILE_NAME:warpfiber_hooks_of_library>")
  file(
    GENERATE
    OUTPUT "${file}"
    CONTENT
      "{\n  \"preprocessing\": ${preprocessing},\n  \"compiling\": ${compiling},\n  \"compiling_by_gcc\": ${loaded},\n  \"checking\": ${checking},\n  \"checking_library\": ${checking_library},\n  \"checking_object\": \"@hooks_of_program.o\",\n  \"checking_object_of_library\": \"@hooks.o\",\n  \"linking_shared\": ${shared},\n  \"linking_static\": ${static},\n  \"linking_program\": ${program},\n  \"libraries\": ${libraries},\n  \"headers\": \"${headers}\",\n  \"recorder\": \"${recorder}\",\n  \"gallery\": \"${gallery}\",\n  \"gallery_data\": \"${gallery_data}\",\n  \"recordings\": \"${recordings}\",\n  \"pages\": \"${pages}\",\n  \"assembler\": \"${assembler}\",\n  \"debugger\": \"${debugger}\",\n  \"toolkit\": \"@cuda\",\n  \"opengl\": \"@opengl/lib\",\n  \"runtime\": \"@runtime/include/warpfiber-cuda\",\n  \"cache\": \"${cache}\",\n  \"region_plugin\": \"${plugin}\",\n  \"region_llvm\": \"${WARPFIBER_REGIONS_LLVM}\"\n}\n"
  )
endfunction()

file(RELATIVE_PATH to_headers "/${CMAKE_INSTALL_LIBDIR}/warpfiber" "/${CMAKE_INSTALL_INCLUDEDIR}")
file(RELATIVE_PATH to_share "/${CMAKE_INSTALL_LIBDIR}/warpfiber" "/${CMAKE_INSTALL_DATADIR}/warpfiber")
file(RELATIVE_PATH to_pages "/${CMAKE_INSTALL_LIBDIR}/warpfiber" "/${CMAKE_INSTALL_DOCDIR}/docs")
file(RELATIVE_PATH to_libexec "/${CMAKE_INSTALL_LIBDIR}/warpfiber" "/${CMAKE_INSTALL_LIBEXECDIR}/warpfiber")
file(RELATIVE_PATH to_prefix "/${CMAKE_INSTALL_LIBDIR}/warpfiber" "/")
warpfiber_write_toolchain("${PROJECT_BINARY_DIR}/lib/warpfiber/toolchain.json" "@.." "${PROJECT_SOURCE_DIR}/include/cuda"
                          "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/share/crosscheck"
                          "@../../bin/warpfiber_crosscheck_gallery" "${PROJECT_SOURCE_DIR}/sim_kernels/data"
                          "${PROJECT_SOURCE_DIR}/tests/golden/crosscheck/gallery_h200.recordings"
                          "${PROJECT_SOURCE_DIR}/docs" "$<TARGET_FILE_DIR:warpfiber_assembler>"
                          "${PROJECT_SOURCE_DIR}/share/gdb/warpfiber-gdb.py" "${PROJECT_BINARY_DIR}/cache")
warpfiber_write_toolchain("${PROJECT_BINARY_DIR}/installed/toolchain.json" "@.." "@${to_headers}/warpfiber-cuda"
                          "@${to_headers}" "@${to_share}/crosscheck" "@${to_libexec}/warpfiber_crosscheck_gallery"
                          "@${to_share}/gallery" "@${to_share}/recordings/gallery_h200.recordings"
                          "@${to_pages}" "@${to_prefix}/$<TARGET_PROPERTY:warpfiber_assembler,INSTALL_FOLDER>"
                          "@${to_share}/gdb/warpfiber-gdb.py" "")
install(FILES "${PROJECT_BINARY_DIR}/installed/toolchain.json" DESTINATION "${CMAKE_INSTALL_LIBDIR}/warpfiber")

# A folder that build systems take for a toolkit, where they do not leave the link to the driver: CMake's CUDA language,
# find_package(CUDAToolkit), makefiles with a CUDA_PATH, setup.py with a CUDA_HOME, Meson and Bazel, and programs that load
# a library by its name. All names of a shared library lead to one file, so that a process has it once; its own is among
# them, because a program that the host's compiler has linked asks for that one. Archives are scripts of the linker that
# name ours. Meson reads version.txt, as toolkits before 11.1 have it, and others version.json.
file(RELATIVE_PATH to_bin "/${CMAKE_INSTALL_LIBDIR}/warpfiber/cuda/bin" "/${CMAKE_INSTALL_BINDIR}")
file(GLOB cuda_headers RELATIVE "${PROJECT_SOURCE_DIR}/include/cuda" "${PROJECT_SOURCE_DIR}/include/cuda/*")
list(REMOVE_ITEM cuda_headers CMakeLists.txt)
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
foreach(tree build installed)
  set(toolkit "${PROJECT_BINARY_DIR}/lib/warpfiber/cuda")
  set(cuda_folder "${PROJECT_SOURCE_DIR}/include/cuda")
  set(own_folder "${PROJECT_SOURCE_DIR}/include/warpfiber")
  set(command "../../../../bin/warpfiber-nvcc")
  if(tree STREQUAL "installed")
    set(toolkit "${PROJECT_BINARY_DIR}/installed/cuda")
    set(cuda_folder "../../${to_headers}/warpfiber-cuda")
    set(own_folder "../../${to_headers}/warpfiber")
    set(command "${to_bin}/warpfiber-nvcc")
  endif()
  # The folder of headers is all that a host's compiler is told, so ours are in it too.
  file(REMOVE_RECURSE "${toolkit}/include")
  file(MAKE_DIRECTORY "${toolkit}/bin" "${toolkit}/lib64/stubs" "${toolkit}/include" "${toolkit}/nvvm/libdevice"
       "${toolkit}/targets/${CMAKE_SYSTEM_PROCESSOR}-linux")
  file(WRITE "${toolkit}/version.txt" "CUDA Version 13.0.88\n")
  file(WRITE "${toolkit}/version.json"
       "{\n  \"cuda\": {\"name\": \"CUDA SDK (Warpfiber ${PROJECT_VERSION})\", \"version\": \"13.0.88\"},\n"
       "  \"cuda_cudart\": {\"name\": \"CUDA Runtime (cudart)\", \"version\": \"13.0.88\"},\n"
       "  \"cuda_nvcc\": {\"name\": \"CUDA NVCC\", \"version\": \"13.0.88\"}\n}\n")
  foreach(folder include lib64)
    string(REPLACE lib64 lib name "${folder}")
    file(CREATE_LINK "../../${folder}" "${toolkit}/targets/${CMAKE_SYSTEM_PROCESSOR}-linux/${name}" SYMBOLIC)
  endforeach()
  file(CREATE_LINK lib64 "${toolkit}/lib" SYMBOLIC)
  foreach(program nvcc compute-sanitizer cuda-gdb cuobjdump ncu nsys nvdisasm nvidia-smi)
    file(CREATE_LINK "${command}" "${toolkit}/bin/${program}" SYMBOLIC)
  endforeach()
  file(CREATE_LINK "${own_folder}" "${toolkit}/include/warpfiber" SYMBOLIC)
  foreach(header ${cuda_headers})
    file(CREATE_LINK "${cuda_folder}/${header}" "${toolkit}/include/${header}" SYMBOLIC)
  endforeach()
  # Where a toolkit's folder has a libcu++ of its own, this one is searched before it, and ours not at all.
  cmake_path(GET toolkit PARENT_PATH libraries)
  set(runtime "${libraries}/runtime/include")
  file(REMOVE_RECURSE "${runtime}")
  file(MAKE_DIRECTORY "${runtime}/warpfiber-cuda")
  file(CREATE_LINK "${own_folder}" "${runtime}/warpfiber" SYMBOLIC)
  foreach(header ${cuda_headers})
    if(tree STREQUAL "installed")
      set(header_of_runtime "../${cuda_folder}/${header}")
    else()
      set(header_of_runtime "${cuda_folder}/${header}")
    endif()
    if(NOT header STREQUAL "cuda")
      file(CREATE_LINK "${header_of_runtime}" "${runtime}/warpfiber-cuda/${header}" SYMBOLIC)
    endif()
  endforeach()
  set(linked ${linking})
  list(FILTER linked INCLUDE REGEX "^-[lL]")
  list(TRANSFORM linked REPLACE "^-L(.*)$" "SEARCH_DIR(\\1)")
  list(TRANSFORM linked REPLACE "^(-l.*)$" "INPUT(\\1)")
  # The host's compiler that links may be one for C.
  list(APPEND linked "INPUT(-lstdc++)" "INPUT(-lm)")
  list(JOIN linked "\n" linked)
  set(runtime_archive "INPUT(../../../$<TARGET_LINKER_FILE_NAME:warpfiber>)\n${linked}\n")
  file(GENERATE OUTPUT "${toolkit}/lib64/libcudart_static.a" CONTENT "${runtime_archive}")
  foreach(library cudadevrt culibos nvToolsExt)
    file(WRITE "${toolkit}/lib64/lib${library}.a" "!<arch>\n")
  endforeach()
  if(TARGET cuda_libraries)
    foreach(library cublas cublasLt cufft cusolver cusolverMg cusolver_lapack cusolver_metis cusparse curand)
      file(GENERATE OUTPUT "${toolkit}/lib64/lib${library}_static.a"
           CONTENT "INPUT(../../../$<TARGET_LINKER_FILE_NAME:cuda_libraries>)\n${runtime_archive}")
    endforeach()
    file(CREATE_LINK libcufft_static.a "${toolkit}/lib64/libcufft_static_nocallback.a" SYMBOLIC)
  endif()
  if(WARPFIBER_SHARED)
    # The versions are those of CUDA 12 and 13. What is linked with one of the names asks for the library's own.
    foreach(name warpfiber.so.${soversion} cudart.so cudart.so.12 cudart.so.13 cuda.so cuda.so.1)
      file(CREATE_LINK ../../../libwarpfiber.so.${soversion} "${toolkit}/lib64/lib${name}" SYMBOLIC)
    endforeach()
    file(CREATE_LINK ../libcuda.so "${toolkit}/lib64/stubs/libcuda.so" SYMBOLIC)
    if(TARGET cuda_libraries)
      foreach(name warpfiber_cuda_libraries.so.${soversion} cublas.so cublas.so.12 cublas.so.13 cublasLt.so cublasLt.so.12 cublasLt.so.13 cufft.so cufft.so.11
                   cufft.so.12 curand.so curand.so.10 cusolver.so cusolver.so.11 cusolver.so.12 cusolverMg.so
                   cusolverMg.so.11 cusolverMg.so.12 cusparse.so cusparse.so.12)
        file(CREATE_LINK ../../../libwarpfiber_cuda_libraries.so.${soversion} "${toolkit}/lib64/lib${name}" SYMBOLIC)
      endforeach()
    endif()
  else()
    file(GENERATE OUTPUT "${toolkit}/lib64/libcudart.a" CONTENT "${runtime_archive}")
    file(WRITE "${toolkit}/lib64/libcuda.a" "!<arch>\n")
    if(TARGET cuda_libraries)
      foreach(library cublas cublasLt cufft cusolver cusolverMg cusparse curand)
        file(CREATE_LINK lib${library}_static.a "${toolkit}/lib64/lib${library}.a" SYMBOLIC)
      endforeach()
    endif()
  endif()
endforeach()
# OpenGL's headers are in two folders, because g++ ignores the -I of one that is searched behind the system's.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/lib/warpfiber/opengl/include")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include/opengl/GL" "${PROJECT_BINARY_DIR}/lib/warpfiber/opengl/include/GL" SYMBOLIC)
foreach(folder lib/warpfiber/opengl installed/opengl)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}/fallback")
  file(CREATE_LINK ../include/GL "${PROJECT_BINARY_DIR}/${folder}/fallback/GL" SYMBOLIC)
endforeach()
# In an older installation the folder is one link, through which the headers would be written.
install(CODE "file(REMOVE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/warpfiber/cuda/include\")")
install(DIRECTORY "${PROJECT_BINARY_DIR}/installed/cuda" "${PROJECT_BINARY_DIR}/installed/opengl" "${PROJECT_BINARY_DIR}/installed/runtime"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/warpfiber")
