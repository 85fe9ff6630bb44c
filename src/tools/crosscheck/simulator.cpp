// SPDX-License-Identifier: Apache-2.0
//
// Starts the program with the variables that make the runtime keep copies, and reads the file that it leaves.
#include "tools/crosscheck/simulator.hpp"

#include <filesystem>
#include <utility>

#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::crosscheck {

base::Result<RunResult> run_on_simulator(const std::string& program, const std::vector<std::string>& arguments,
                                         const std::string& scratch) {
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string kept = scratch + "/simulator.copies";
  std::filesystem::remove(kept);
  nvcc::SpawnOptions spawn_options;
  // A device leaves the exit code to the program.
  spawn_options.variables = {"WARPFIBER_COPIES=" + kept, "WARPFIBER_EXITCODE=0"};
  spawn_options.output_file = scratch + "/simulator.out";
  RunResult run;
  run.exit_code = nvcc::run(command, spawn_options);
  run.output = nvcc::content_of(spawn_options.output_file);
  auto copies = parse_copies(nvcc::content_of(kept));
  if (!copies.ok()) return base::Failure{"the simulator's copies were not stored completely: " + copies.error()};
  run.copies = std::move(copies.value());
  return run;
}

std::string find_writer(const std::string& program, const std::vector<std::string>& arguments,
                        const std::string& scratch, const Copy& copy, std::uint64_t byte) {
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string kept = scratch + "/writer.copies";
  nvcc::SpawnOptions spawn_options;
  spawn_options.variables = {"WARPFIBER_COPIES=" + kept, std::string("WARPFIBER_COPY_WRITER=") +
                                                             (copy.managed ? "managed:" : "") +
                                                             std::to_string(copy.ordinal) + ":" + std::to_string(byte)};
  spawn_options.silent = true;
  nvcc::run(command, spawn_options);
  const auto copies = parse_copies(nvcc::content_of(kept));
  if (!copies.ok()) return {};
  for (const Copy& one : copies.value()) {
    if (one.managed == copy.managed && one.ordinal == copy.ordinal) return one.writer;
  }
  return {};
}

}  // namespace warpfiber::tools::crosscheck
