# SPDX-License-Identifier: Apache-2.0
#
# Runs in cpack, once for each kind of package, when the files of the package lie in their folder and before they are
# packed (CPACK_PRE_BUILD_SCRIPTS). It strips what needs no symbols, adds what only this kind of package has, and gives
# every file one time.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
else()
  set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
endif()
set(library_folder "${root}/${CPACK_WARPFIBER_LIBDIR}")
set(documents "${root}/share/doc/warpfiber")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# warpfiber_strip()
#   The gallery keeps its debug information (warpfiber_compress_gallery).
function(warpfiber_strip)
  file(GLOB programs "${root}/bin/*" "${root}/libexec/warpfiber/as-*/as" "${library_folder}/*.so.*.*.*"
       "${library_folder}/warpfiber/*.so" "${library_folder}/warpfiber/opengl/lib/*.so")
  foreach(program IN LISTS programs)
    if(NOT IS_SYMLINK "${program}" AND NOT program MATCHES "\\.py$")
      run("${CPACK_WARPFIBER_STRIP}" --strip-unneeded --remove-section=.comment "${program}")
    endif()
  endforeach()
  file(GLOB archives "${library_folder}/libwarpfiber*.a")
  foreach(archive IN LISTS archives)
    run("${CPACK_WARPFIBER_STRIP}" --enable-deterministic-archives --strip-debug --remove-section=.comment "${archive}")
  endforeach()
endfunction()

# warpfiber_look_for_folders()
#   Files that name the folder they were built in differ from those of another one. Only builds that map these names can be
#   held to that.
function(warpfiber_look_for_folders)
  if(CPACK_WARPFIBER_MAPS_FOLDERS)
    run("${CPACK_WARPFIBER_SOURCES}/packaging/check_folders" "${root}" "${CPACK_WARPFIBER_SOURCES}"
        "${CPACK_WARPFIBER_BUILD}")
  endif()
endfunction()

# warpfiber_compress_gallery()
#   Its reports name lines by its debug information.
function(warpfiber_compress_gallery)
  run("${CPACK_WARPFIBER_OBJCOPY}" --compress-debug-sections "${root}/libexec/warpfiber/warpfiber_crosscheck_gallery")
endfunction()

# warpfiber_add_debian_files()
function(warpfiber_add_debian_files)
  set(debian "${CPACK_WARPFIBER_SOURCES}/packaging/debian")
  file(GLOB pages "${root}/share/man/man1/*.1")
  configure_file("${CPACK_WARPFIBER_SOURCES}/CHANGELOG.md" "${documents}/changelog" COPYONLY)
  configure_file("${debian}/changelog" "${documents}/changelog.Debian" COPYONLY)
  run(gzip --best --no-name ${pages} "${documents}/changelog" "${documents}/changelog.Debian")
  configure_file("${debian}/copyright" "${documents}/copyright" COPYONLY)
  file(REMOVE "${documents}/LICENSE" "${documents}/CHANGELOG.md")
  configure_file("${debian}/lintian-overrides" "${root}/share/lintian/overrides/warpfiber" COPYONLY)
endfunction()

# warpfiber_find_elfutils(<file name> <variable>)
#   In the folder that packaging/elfutils has filled, or else this system's own.
function(warpfiber_find_elfutils name variable)
  set(path "${CPACK_WARPFIBER_ELFUTILS}/${name}")
  if(NOT CPACK_WARPFIBER_ELFUTILS)
    execute_process(COMMAND "${CPACK_WARPFIBER_COMPILER}" "-print-file-name=${name}" OUTPUT_VARIABLE path
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(NOT IS_ABSOLUTE "${path}")
      message(FATAL_ERROR "the package brings ${name} along, but it is not on this system: install libdw-dev")
    endif()
  elseif(NOT EXISTS "${path}")
    message(FATAL_ERROR "the package brings ${name} along, but ${CPACK_WARPFIBER_ELFUTILS} has no such file: run "
                        "${CPACK_WARPFIBER_SOURCES}/packaging/elfutils ${CPACK_WARPFIBER_ELFUTILS}")
  endif()
  file(REAL_PATH "${path}" path)
  set(${variable} "${path}" PARENT_SCOPE)
endfunction()

# warpfiber_bundle_elfutils()
#   libdw and what it needs, each looking for the others beside itself. The library loads them where the system has no
#   libdw (src/foundation/symbols/libdw.cpp).
function(warpfiber_bundle_elfutils)
  set(folder "${library_folder}/warpfiber/elfutils")
  file(MAKE_DIRECTORY "${folder}")
  set(waiting libdw.so.1)
  while(waiting)
    list(POP_FRONT waiting name)
    warpfiber_find_elfutils(${name} path)
    configure_file("${path}" "${folder}/${name}" COPYONLY)
    execute_process(COMMAND patchelf --print-needed "${path}" OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "lib(elf|z|lzma|bz2|zstd)\\.so[.0-9]*" needed "${needed}")
    list(APPEND waiting ${needed})
    run(patchelf --set-rpath "$ORIGIN" "${folder}/${name}")
  endwhile()
endfunction()

# warpfiber_set_times()
#   One time for all, that of SOURCE_DATE_EPOCH where it is set. Folders come after what is in them.
function(warpfiber_set_times)
  if(NOT "$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
    run(find "${CPACK_TEMPORARY_INSTALL_DIRECTORY}" -depth -exec touch --no-dereference "--date=@$ENV{SOURCE_DATE_EPOCH}" {} +)
  endif()
endfunction()

warpfiber_strip()
warpfiber_look_for_folders()
warpfiber_compress_gallery()
if(CPACK_GENERATOR STREQUAL "DEB")
  warpfiber_add_debian_files()
elseif(CPACK_GENERATOR STREQUAL "TGZ")
  warpfiber_bundle_elfutils()
endif()
warpfiber_set_times()
