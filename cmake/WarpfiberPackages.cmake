# SPDX-License-Identifier: Apache-2.0
#
# What cpack makes of an installation: a package for Debian and Ubuntu (DEB), a folder that runs from anywhere (TGZ), and
# a package for systems with rpm (RPM). packaging/stage.cmake gives each what only it needs. With SOURCE_DATE_EPOCH two
# builds are equal byte for byte (packaging/README.md).
set(WARPFIBER_ELFUTILS
    ""
    CACHE PATH "Folder of the libdw that the .tar.gz brings along (packaging/elfutils fills it); empty: this system's own")
set(CPACK_PACKAGE_NAME warpfiber)
set(CPACK_PACKAGE_VENDOR "Warpfiber")
set(CPACK_PACKAGE_CONTACT "Warpfiber maintainers <maintainers@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "CUDA kernels on a CPU, checked and explained")
set(CPACK_PACKAGE_DESCRIPTION
    "Warpfiber builds unmodified CUDA programs without a GPU and without a CUDA
toolkit, runs their kernels on the CPU, and reports races, wrong accesses,
deadlocks and misuse of the API at the lines of the source.
It has a drop-in for nvcc, the CUDA runtime, cuBLAS, cuFFT, cuRAND, cuSPARSE
and cuSOLVER, a CMake package and a debugger.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_FILE_NAME "warpfiber-${PROJECT_VERSION}-linux-x86_64")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/stage.cmake")
set(CPACK_POST_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/installed_size.cmake")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_WARPFIBER_SOURCES "${PROJECT_SOURCE_DIR}")
set(CPACK_WARPFIBER_BUILD "${PROJECT_BINARY_DIR}")
string(FIND "${CMAKE_CXX_FLAGS}" "-ffile-prefix-map=" mapping)
if(mapping GREATER_EQUAL 0)
  set(CPACK_WARPFIBER_MAPS_FOLDERS ON)
endif()
set(CPACK_WARPFIBER_ELFUTILS "${WARPFIBER_ELFUTILS}")
set(CPACK_WARPFIBER_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
set(CPACK_WARPFIBER_OBJCOPY "${CMAKE_OBJCOPY}")
set(CPACK_WARPFIBER_STRIP "${CMAKE_STRIP}")
set(CPACK_WARPFIBER_COMPILER "${CMAKE_CXX_COMPILER}")
set(CPACK_STRIP_FILES OFF)  # programs of the gallery keep the lines that their reports name

# Each is what the library is linked for (WARPFIBER_OLDEST_GLIBC) and what the command starts. The names of libdw's package
# and libgcc's differ between distributions, which is why nothing is asked of dpkg-shlibdeps.
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(WARPFIBER_OLDEST_GLIBC)
  set(glibc "${WARPFIBER_OLDEST_GLIBC}")
else()
  execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE glibc OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCH "[0-9]+(\\.[0-9]+)+" glibc "${glibc}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libc6 (>= ${glibc}), libstdc++6 (>= 8), libgcc-s1 | libgcc1, libdw1t64 | libdw1, binutils, g++ (>= 4:11) | clang")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang, cmake, gdb, libopenblas0-pthread, python3")
configure_file("${PROJECT_SOURCE_DIR}/packaging/debian/shlibs.in" "${PROJECT_BINARY_DIR}/packaging/shlibs" @ONLY)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/debian/triggers"
                                       "${PROJECT_BINARY_DIR}/packaging/shlibs")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0")
set(CPACK_RPM_PACKAGE_GROUP "Development/Tools")
set(CPACK_RPM_PACKAGE_AUTOREQPROV OFF)
set(CPACK_RPM_PACKAGE_REQUIRES "glibc >= ${glibc}, libstdc++ >= 8, elfutils-libs, binutils, gcc-c++ >= 11")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1 /usr/share/doc /usr/share/fish
    /usr/share/fish/vendor_completions.d /usr/share/zsh /usr/share/zsh/site-functions /usr/share/bash-completion
    /usr/share/bash-completion/completions /usr/lib/cmake /usr/libexec)
set(CPACK_RPM_SPEC_MORE_DEFINE
    "%global _buildhost reproducible
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none")
include(CPack)
