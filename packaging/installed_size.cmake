# SPDX-License-Identifier: Apache-2.0
#
# Runs in cpack when the packages are made, and before their sums are taken (CPACK_POST_BUILD_SCRIPTS). cpack counts a
# symbolic link of a .deb as large as what it leads to, which triples the Installed-Size that apt shows. This writes the
# size as dpkg defines it: files in whole KiB, and one KiB for whatever else has a name.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
cmake_policy(SET CMP0009 NEW)  # links to folders are not followed

# warpfiber_installed_size(<variable>)
function(warpfiber_installed_size variable)
  set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
  file(GLOB_RECURSE entries LIST_DIRECTORIES TRUE "${root}/*")
  set(kibibytes 1)  # the root itself
  foreach(entry IN LISTS entries)
    set(size 1)
    if(NOT IS_SYMLINK "${entry}" AND NOT IS_DIRECTORY "${entry}")
      file(SIZE "${entry}" bytes)
      math(EXPR size "(${bytes} + 1023) / 1024")
    endif()
    math(EXPR kibibytes "${kibibytes} + ${size}")
  endforeach()
  set(${variable} ${kibibytes} PARENT_SCOPE)
endfunction()

# warpfiber_set_installed_size(<package> <KiB>)
#   Only the control files are packed again. All have one time already (packaging/stage.cmake).
function(warpfiber_set_installed_size package kibibytes)
  get_filename_component(folder "${package}" DIRECTORY)
  set(scratch "${folder}/installed_size")
  file(REMOVE_RECURSE "${scratch}")
  file(MAKE_DIRECTORY "${scratch}/control")
  set(in_scratch WORKING_DIRECTORY "${scratch}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ar x "${package}" control.tar.gz ${in_scratch})
  execute_process(COMMAND tar -xpzf control.tar.gz -C control ${in_scratch})
  execute_process(COMMAND sed -i "s/^Installed-Size: .*/Installed-Size: ${kibibytes}/" control/control ${in_scratch})
  set(times --mtime=@0)
  if(NOT "$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
    set(times "--mtime=@$ENV{SOURCE_DATE_EPOCH}")
  endif()
  execute_process(COMMAND tar --format=gnu --sort=name --owner=root:0 --group=root:0 ${times} -cf control.tar -C control .
                  ${in_scratch})
  execute_process(COMMAND gzip --best --no-name --force control.tar ${in_scratch})
  execute_process(COMMAND ar rD "${package}" control.tar.gz ${in_scratch})
  file(REMOVE_RECURSE "${scratch}")
endfunction()

warpfiber_installed_size(size)
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  warpfiber_set_installed_size("${package}" ${size})
endforeach()
