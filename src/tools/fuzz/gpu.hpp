// SPDX-License-Identifier: Apache-2.0
//
// Programs on a GPU: by fuzz_device, a program that nvcc has built, because this one is built by any C++ compiler. It
// lies next to the command.
#pragma once

#include <string>
#include <vector>

#include "tools/fuzz/program/run.hpp"

namespace warpfiber::tools::fuzz {

class Gpu {
 public:
  /// `program`: fuzz_device.
  explicit Gpu(std::string program) : program_(std::move(program)) {}

  /// Why nothing can be run; empty: it can be tried.
  std::string complaint() const;

  /// Runs the programs of seeds from `seed` on and writes recordings. What went wrong; empty: nothing. A program that
  /// failed there is in the recordings without a result. `lacks_gpu`: there is none, or none that runs anything.
  std::string record(std::uint64_t seed, std::uint64_t count, const std::string& to, bool& lacks_gpu) const;

  /// What every thread of the program sees. Its error says so if it could not be run.
  Outcome run(const Flat& program) const;

 private:
  std::string program_;
};

}  // namespace warpfiber::tools::fuzz
