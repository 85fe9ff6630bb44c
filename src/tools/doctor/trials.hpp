// SPDX-License-Identifier: Apache-2.0
// What is looked at and what is tried: files of the installation, programs of the system, and what they make together.
// Each function runs child processes and returns what became of them; it prints nothing.
#pragma once

#include <string>
#include <vector>

#include "tools/doctor/report.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/packages/packages.hpp"

namespace warpfiber::tools::doctor {

/// What all of them use.
struct Workplace {
  std::string command;          // the file of this command
  std::string prefix;           // the folder that it is installed in
  nvcc::Toolchain toolchain{};  // may be none
  packages::OperatingSystem system{};
  std::string scratch;  // the folder for what is made
};

/// The files that are part of the installation.
std::vector<Examination> look_at_files(const Workplace& at);

/// The compiler that builds programs unless -ccbin names another.
std::string default_compiler();

/// Compiles, links and runs a program of C++20 that has nothing to do with Warpfiber.
Examination try_compiler(const Workplace& at, const std::string& compiler, bool required);

/// gdb and Python, which `warpfiber gdb` and `warpfiber step` start.
Examination try_gdb(const Workplace& at);
Examination try_python(const Workplace& at);

/// Builds and runs a CUDA program with this compiler.
Examination try_build(const Workplace& at, const std::string& compiler, bool required);
/// Lets `warpfiber check` find the race of a kernel that has one.
Examination try_check(const Workplace& at, const std::string& compiler);
/// Builds the kernel also as loops over its threads.
Examination try_regions(const Workplace& at, const std::string& compiler);
/// Builds and runs the CUDA program with NVIDIA's nvcc on a GPU.
Examination try_gpu(const Workplace& at);

}  // namespace warpfiber::tools::doctor
