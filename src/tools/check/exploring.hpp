// SPDX-License-Identifier: Apache-2.0
//
// The runs of `warpfiber check`: one child process for each schedule, until one of them fails, and what is concluded
// from all of them.
#pragma once

#include <string>

#include "tools/check/documents/merged.hpp"
#include "tools/check/options.hpp"
#include "tools/nvcc/processes/repeated_input.hpp"
#include "tools/shards/state_file.hpp"

namespace warpfiber::tools::check {

struct Explored {
  Merged merged{};
  std::string shortest{};    // a sentence about the shortest schedule that fails; empty: none was looked for
  bool out_of_time = false;  // a run took longer than it may
  bool has_shown = false;    // the first seed's run has printed its reports itself
  std::string unsaved{};     // why the file of the shard cannot be written; empty: it can
};

/// Runs `program` on the schedules that the options name, until one of several fails. Of that one a shorter one is then
/// looked for, and kept in a file. An interruption ends the running program and lets no other begin. Files for a while
/// are written to the folder `scratch`. Each run gets all of `input`; null: what is left of this process's. Of the
/// seeds of a search `shard` keeps which were run; what an earlier call has run is not run again. Null: there is no
/// search.
Explored explore(const CheckOptions& options, const std::string& program, const std::string& scratch,
                 const nvcc::RepeatedInput* input, shards::StateFile* shard);

}  // namespace warpfiber::tools::check
