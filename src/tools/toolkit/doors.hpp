// SPDX-License-Identifier: Apache-2.0
//
// The programs of a CUDA toolkit that scripts call besides nvcc: links to the command in the toolkit folder's bin, each
// a door to what Warpfiber has in its place, or one sentence. What a door leads to is a function of its words, so that
// it is tested without a process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/options/output.hpp"

namespace warpfiber::tools::toolkit {

using DoorWords = std::vector<std::string>;

enum class DoorKind {
  reply,  // `reply` is all
  check,  // `warpfiber check` with `words`
  start,  // the program and the arguments `words`, after what `reply` prints
};

struct Opened {
  DoorKind way = DoorKind::reply;
  Reply reply{};
  std::vector<std::string> words{};
  std::vector<std::string> variables{};  // of the program that is started, "NAME=value"
  int status_of_findings = 1;            // of --error-exitcode
};

/// What nvidia-smi shows: as many devices of one model as a program would see without CUDA_VISIBLE_DEVICES.
struct Machine {
  std::string name{};  // NVIDIA H200
  unsigned compute_major = 0;
  unsigned compute_minor = 0;
  unsigned sm_count = 0;
  unsigned long long memory_mib = 0;
  unsigned count = 1;
};

/// Whether a program of this name is a door: "ncu".
bool is_door(std::string_view name);

/// `debugger` is the file of commands for gdb, and `gdb` the program.
struct DoorContext {
  Machine machine{};
  std::string gdb{};
  std::string debugger{};
};

Opened open(std::string_view name, const std::vector<std::string>& words, const DoorContext& here);

/// The whole run of a door; returns its exit code.
int run_door(std::string_view name, const std::vector<std::string>& words);

}  // namespace warpfiber::tools::toolkit
