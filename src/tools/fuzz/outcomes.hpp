// SPDX-License-Identifier: Apache-2.0
//
// How `warpfiber-dev fuzz` and `fuzz_device`, two processes of one machine, hand each other programs and what threads
// saw.
#pragma once

#include <string>
#include <vector>

#include "tools/fuzz/program/run.hpp"

namespace warpfiber::tools::fuzz {

/// False if the file cannot be written.
bool write_programs(const std::string& path, const std::vector<Flat>& programs);
/// What is wrong with the file; empty if nothing is.
std::string read_programs(const std::string& path, std::vector<Flat>& to);

bool write_outcomes(const std::string& path, const std::vector<Outcome>& outcomes);
std::string read_outcomes(const std::string& path, std::vector<Outcome>& to);

}  // namespace warpfiber::tools::fuzz
