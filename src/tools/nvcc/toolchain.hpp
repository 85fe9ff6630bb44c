// SPDX-License-Identifier: Apache-2.0
//
// What a program built by the command needs of this installation: header folders, the library and what it links to.
// Found through a file that the build writes next to the library, so that the command works from the build tree and
// from wherever it is installed.
#pragma once

#include <string>
#include <vector>

#include "tools/nvcc/options.hpp"

namespace warpfiber::tools::nvcc {

struct Toolchain {
  std::vector<std::string> preprocessing;       // -I and -D flags, our headers first
  std::vector<std::string> compiling;           // flags every translated file needs
  std::vector<std::string> compiling_by_gcc{};  // and those that only g++ has
  std::vector<std::string> checking;            // the hooks of checked programs, linked before the library
  std::vector<std::string> checking_library{};  // the same for shared libraries
  std::string checking_object{};                // the hooks as one object, which objects of -c for programs carry
  std::string checking_object_of_library{};     // the same for objects that are compiled with -fPIC
  std::vector<std::string> linking_shared;      // the shared library and what it needs, in order; empty: there is none
  std::vector<std::string> linking_program{};   // what a program has itself that is linked with the shared library
  std::vector<std::string> linking_static;      // the archive and what it needs, in order
  std::string error;                            // why there is none; empty: found
  std::vector<std::string> keeping_lines{};     // flags of checked files that the host compiler may lack
  std::string headers{};                        // the folder of Warpfiber's own headers, without CUDA's
  std::string recorder{};          // the folder of what is linked into programs for a GPU (share/crosscheck)
  std::string gallery{};           // the gallery for the simulator; its twin for a GPU ends in _gpu
  std::string gallery_data{};      // the folder of the files that the gallery reads
  std::string recordings{};        // the file of the gallery's recordings
  std::string pages{};             // the folder of the documentation
  std::string assembler{};         // the folder of the `as` that checked files are compiled with
  std::string debugger{};          // the file of commands for gdb
  std::string toolkit{};           // the folder that build systems take for a toolkit
  std::string opengl{};            // the folder of libraries of OpenGL, for systems that have none
  std::string runtime{};           // the folder of CUDA's headers without those of libcu++
  std::string cache{};             // the folder for precompiled headers; empty: the user's (precompiled)
  std::string region_plugin{};     // what clang++ makes regions with; empty: this installation has none
  std::string region_llvm{};       // the major version of LLVM that it is for
  std::string region_compiler{};   // the clang++ to do it with; empty: none of -fregions (sidecar.hpp)
  bool has_cuda_libraries = true;  // cuBLAS and the like: CMake's option WARPFIBER_CUDA_LIBRARIES
  bool ok() const { return error.empty(); }

  /// Whether what is linked with -cudart=`library` has the runtime from the archive.
  bool is_linked_statically(CudaRuntime library) const {
    return library == CudaRuntime::archive || (library == CudaRuntime::shared_library && linking_shared.empty());
  }
  /// The words for the linker.
  const std::vector<std::string>& linking(CudaRuntime library) const {
    static const std::vector<std::string> none;
    if (is_linked_statically(library)) return linking_static;
    return library == CudaRuntime::none ? none : linking_shared;
  }
};

/// The toolchain that belongs to the command at `program` (an absolute path, <prefix>/bin/warpfiber).
Toolchain find_toolchain(const std::string& program);

/// The word that starts this command from a shell: "warpfiber" or "warpfiber-dev" where that is what the shell finds,
/// else its path.
std::string own_command();

/// The host compiler that CXX names, as build systems set it, without a cache in front of it. Empty where it is no g++
/// or clang++, or has options.
std::string compiler_of_environment();

}  // namespace warpfiber::tools::nvcc
