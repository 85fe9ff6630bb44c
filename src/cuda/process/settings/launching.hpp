// SPDX-License-Identifier: Apache-2.0
// How kernels run, as the environment says (session.cpp), unless a launch says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/request/convergence_mode.hpp"
#include "schedule/options.hpp"

namespace warpfiber::process {

struct LaunchSettings {
  unsigned workers = 1;
  bool workers_asked = false;   // WARPFIBER_WORKERS is set
  bool schedule_asked = false;  // a seed or a policy is
  std::size_t stack_bytes = 64 * 1024;
  schedule::PolicyOptions policy;
  engine::Convergence convergence = engine::Convergence::full;
  std::uint64_t most_blocks = 0;   // of a launch; 0: as many as it has
  std::uint64_t most_threads = 0;  // of a block; 0: as many as it has
  bool regions = true;             // of the program, where it has some
  unsigned regions_level = 4;      // the newest level of x86-64 for which their code is
};

const LaunchSettings& launch_settings();

/// "full", "random", "random-masks" or "none"; false if the word is none of these.
bool parse_convergence(const char* word, engine::Convergence& to);

}  // namespace warpfiber::process
