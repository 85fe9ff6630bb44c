// SPDX-License-Identifier: Apache-2.0
//
// Writes the programs to a file, starts fuzz_device as a child process, and reads what it wrote (outcomes.hpp).
#include "tools/fuzz/gpu.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "tools/fuzz/outcomes.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"

namespace warpfiber::tools::fuzz {
namespace {

constexpr int kSomeFailed = 1;      // fuzz_device's word for it
constexpr int kNothingToRunOn = 2;  // it ends so where its child finds no device

}  // namespace

std::string Gpu::complaint() const {
  if (::access(program_.c_str(), X_OK) == 0) return {};
  return fmt::format(
      "no {}: programs run on a GPU by fuzz_device, which is built if nvcc is on the path when CMake configures (cmake "
      "--build <build> --target fuzz_device)",
      program_);
}

std::string Gpu::record(std::uint64_t seed, std::uint64_t count, const std::string& to, bool& lacks_gpu) const {
  const int status =
      nvcc::run({program_, "--seed", std::to_string(seed), "--count", std::to_string(count), "--record", to});
  lacks_gpu = status == kNothingToRunOn;
  return status == 0 || status == kSomeFailed ? "" : fmt::format("{} ended with {}", program_, status);
}

Outcome Gpu::run(const Flat& program) const {
  const nvcc::ScratchFolder folder;
  Outcome failed;
  failed.error = "no temporary folder";
  if (folder.path().empty()) return failed;
  const std::string programs = folder.path() + "/programs";
  const std::string results = folder.path() + "/outcomes";
  failed.error = programs + ": cannot be written";
  if (!write_programs(programs, {program})) return failed;
  const int status = nvcc::run({program_, "--programs", programs, "--outcomes", results});
  failed.error = fmt::format("{} ended with {}", program_, status);
  if (status != 0) return failed;
  std::vector<Outcome> outcomes;
  failed.error = read_outcomes(results, outcomes);
  if (!failed.error.empty()) return failed;
  failed.error = results + ": contains no results";
  return outcomes.empty() ? failed : outcomes.front();
}

}  // namespace warpfiber::tools::fuzz
