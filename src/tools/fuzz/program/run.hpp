// SPDX-License-Identifier: Apache-2.0
//
// Runs programs: on the simulator, or built with nvcc on a device; in either case by the same kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/fuzz/kernel/thread_state.hpp"
#include "tools/fuzz/program/program.hpp"

namespace warpfiber::tools::fuzz {

/// How a program is run. The first two mean nothing to a device.
struct RunSettings {
  std::string policy;      // who runs next; empty: as the session says
  std::uint64_t seed = 0;  // of the policy
  InjectedFault fault = InjectedFault::none;
};

/// What is asked for besides the digest.
enum class Wanted { digest, sums, events };

/// What the threads of a program saw.
struct Outcome {
  std::string error;                            // empty unless the launch failed: the message
  std::uint64_t digest = 0;                     // of the hashes of all threads
  std::vector<std::uint16_t> nodes;             // Wanted::sums: of what all threads saw at each node
  std::vector<std::vector<NodeEvent>> threads;  // Wanted::events: what each thread of the grid saw

  bool ok() const { return error.empty(); }
};

/// Memory that programs run in, used over and over.
class Runner {
 public:
  Runner();
  /// Runs a valid program to its end.
  Outcome run(const Flat& program, const RunSettings& way, Wanted wanted);

 private:
  Buffer<Flat> program_;
  Buffer<unsigned long long> posts_;
  Buffer<unsigned> words_;
  Buffer<std::uint64_t> hashes_;
  Buffer<unsigned long long> sums_;
};

}  // namespace warpfiber::tools::fuzz
