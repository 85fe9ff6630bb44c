# SPDX-License-Identifier: Apache-2.0
#
# Every dependency comes from the distribution's packages (scripts/setup installs them); one that is missing is fetched.
# What the library needs of them is inside it: fmt's functions (src/foundation/base/fmt.cpp), and Boost.Context's where
# they are used. Of libdw only the headers are needed here: the library loads it while a program runs
# (src/foundation/symbols/libdw.hpp).
#
# Sets WARPFIBER_LINK_TARGETS (what the library links and the installed package asks for again) and
# WARPFIBER_FOLDED_OBJECTS (objects of fetched libraries); rooms and tests link `warpfiber_libraries`.
include(FetchContent)

# Fetched libraries are static and may warn, whatever is asked of Warpfiber itself.
set(warpfiber_warnings_as_error "${CMAKE_COMPILE_WARNING_AS_ERROR}")
set(warpfiber_shared "${BUILD_SHARED_LIBS}")
set(CMAKE_COMPILE_WARNING_AS_ERROR OFF)
set(BUILD_SHARED_LIBS OFF)
set(FMT_INSTALL OFF)
set(BOOST_INCLUDE_LIBRARIES context)
set(BOOST_SKIP_INSTALL_RULES ON)
set(BENCHMARK_ENABLE_TESTING OFF)
set(BENCHMARK_ENABLE_INSTALL OFF)

FetchContent_Declare(
  Boost SYSTEM
  URL https://github.com/boostorg/boost/releases/download/boost-1.84.0/boost-1.84.0.tar.xz
  DOWNLOAD_EXTRACT_TIMESTAMP ON
  FIND_PACKAGE_ARGS 1.74 COMPONENTS context)
FetchContent_Declare(
  fmt SYSTEM
  GIT_REPOSITORY https://github.com/fmtlib/fmt.git
  GIT_TAG 9.1.0
  FIND_PACKAGE_ARGS 9)
FetchContent_Declare(
  nlohmann_json SYSTEM
  GIT_REPOSITORY https://github.com/nlohmann/json.git
  GIT_TAG v3.11.2
  FIND_PACKAGE_ARGS 3.10)
FetchContent_Declare(
  ZLIB SYSTEM
  GIT_REPOSITORY https://github.com/madler/zlib.git
  GIT_TAG v1.3.1
  FIND_PACKAGE_ARGS)
FetchContent_Declare(
  Catch2 SYSTEM
  GIT_REPOSITORY https://github.com/catchorg/Catch2.git
  GIT_TAG v3.4.0
  FIND_PACKAGE_ARGS)
FetchContent_Declare(
  benchmark SYSTEM
  GIT_REPOSITORY https://github.com/google/benchmark.git
  GIT_TAG v1.8.3
  FIND_PACKAGE_ARGS 1.7)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libdw REQUIRED libdw)
FetchContent_MakeAvailable(Boost fmt nlohmann_json)
if(WARPFIBER_BUILD_TOOLS)
  pkg_check_modules(libelf REQUIRED IMPORTED_TARGET libelf)
  FetchContent_MakeAvailable(ZLIB)
  if(NOT TARGET ZLIB::ZLIB)
    target_include_directories(zlibstatic INTERFACE "${zlib_SOURCE_DIR}" "${zlib_BINARY_DIR}")
    add_library(ZLIB::ZLIB ALIAS zlibstatic)
  endif()
  # The command contains libelf where its archive, and those of what it compresses by, are there.
  set(elf_archives)
  foreach(library ${libelf_STATIC_LIBRARIES} z)
    find_library(WARPFIBER_ARCHIVE_${library} NAMES lib${library}.a HINTS ${libelf_STATIC_LIBRARY_DIRS})
    mark_as_advanced(WARPFIBER_ARCHIVE_${library})
    list(APPEND elf_archives "${WARPFIBER_ARCHIVE_${library}}")
  endforeach()
  set(WARPFIBER_ELF_LIBRARIES ZLIB::ZLIB PkgConfig::libelf)
  if(NOT elf_archives MATCHES "NOTFOUND")
    set(WARPFIBER_ELF_LIBRARIES ${elf_archives})
  endif()
endif()
if(WARPFIBER_BUILD_TESTS)
  FetchContent_MakeAvailable(Catch2)
endif()
if(WARPFIBER_BUILD_BENCH)
  FetchContent_MakeAvailable(benchmark)
endif()
set(CMAKE_COMPILE_WARNING_AS_ERROR "${warpfiber_warnings_as_error}")
set(BUILD_SHARED_LIBS "${warpfiber_shared}")

set(WARPFIBER_LINK_TARGETS Threads::Threads)
set(WARPFIBER_FOLDED_OBJECTS)
add_library(warpfiber_libraries INTERFACE)
target_link_libraries(warpfiber_libraries INTERFACE Threads::Threads nlohmann_json::nlohmann_json)
target_include_directories(warpfiber_libraries SYSTEM INTERFACE ${libdw_INCLUDE_DIRS}
                                                                $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(warpfiber_libraries INTERFACE "FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace of_warpfiber {"
                                                         "FMT_END_NAMESPACE=}}")
# The hand-written switch knows System V x86-64 only.
if(WARPFIBER_PORTABLE_SWITCH OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_link_libraries(warpfiber_libraries INTERFACE Boost::context)
  if(boost_SOURCE_DIR)
    list(APPEND WARPFIBER_FOLDED_OBJECTS $<TARGET_OBJECTS:boost_context>)
  else()
    list(APPEND WARPFIBER_LINK_TARGETS Boost::context)
  endif()
endif()
