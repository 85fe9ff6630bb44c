# SPDX-License-Identifier: Apache-2.0
#
# Toolchain file of the preset aarch64: the distribution's cross compiler and qemu-user (scripts/setup test), and
# libraries from build/aarch64-root (scripts/sysroot).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# qemu-user keeps flags of each page that is reserved, so it gets few addresses: like a kernel that has few, it makes the
# library do with less of them. Of all of the checker's shadow the flags would take 23 GB.
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-R;16G;-L;/usr/aarch64-linux-gnu")

set(root "${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-root")
cmake_path(NORMAL_PATH root)
set(CMAKE_FIND_ROOT_PATH "${root}" /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${root}")
set(ENV{PKG_CONFIG_LIBDIR} "${root}/usr/lib/aarch64-linux-gnu/pkgconfig:${root}/usr/share/pkgconfig")
# Libraries of libraries are found where the first ones are.
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-Wl,--disable-new-dtags,-rpath,${root}/usr/lib/aarch64-linux-gnu,-rpath,${root}/lib/aarch64-linux-gnu,-rpath-link,${root}/usr/lib/aarch64-linux-gnu,-rpath-link,${root}/lib/aarch64-linux-gnu"
)
