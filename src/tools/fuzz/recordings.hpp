// SPDX-License-Identifier: Apache-2.0
//
// What a device computed, in a file: a few lines of text that say which device and which programs, an empty line, and
// for each program in the order of seeds the digest of its result, 16 bits of the program itself (so that recordings
// of another generator are noticed), and 16 bits a node; then the CRC-32 of all before, because a bit that flips would
// be reported as a mistake of the simulator. Numbers are little-endian.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/fuzz/program/run.hpp"

namespace warpfiber::tools::fuzz {

struct Recorded {
  std::uint64_t digest = 0;
  std::uint16_t program = 0;
  std::vector<std::uint16_t> nodes;  // none: the device did not run the program

  bool has_result() const { return !nodes.empty(); }
};

struct Recordings {
  std::string device;   // its name
  std::string driver;   // in words
  std::string toolkit;  // in words
  std::uint64_t first_seed = 0;
  std::vector<Recorded> programs;

  bool has(std::uint64_t seed) const { return seed >= first_seed && seed - first_seed < programs.size(); }
  const Recorded& of(std::uint64_t seed) const { return programs[seed - first_seed]; }
};

/// 16 bits that depend on every bit of a program.
std::uint16_t program_digest(const Flat& program);

/// What Wanted::sums has recorded of a program.
Recorded recorded(const Flat& program, const Outcome& outcome);

/// What the file holds.
std::string recordings_text(const Recordings& recordings);

/// The same read again. Returns what is wrong with it, as the end of a sentence about the file; empty if nothing is.
std::string parse_recordings(const std::string& bytes, Recordings& to);

/// False if the file cannot be written.
bool write_recordings(const std::string& path, const Recordings& recordings);

/// What is wrong with the file; empty if nothing is.
std::string read_recordings(const std::string& path, Recordings& to);

}  // namespace warpfiber::tools::fuzz
