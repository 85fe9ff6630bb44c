// SPDX-License-Identifier: Apache-2.0
//
// The standard input of this process for several programs, one after the other: each of them gets all of it. A file is
// read again by each. What comes through a pipe is read while a program runs, passed on, and kept for the next ones.
// Terminals and devices are left alone: what one program has read the next one does not get.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::nvcc {

class RepeatedInput {
 public:
  RepeatedInput();
  ~RepeatedInput();
  RepeatedInput(const RepeatedInput&) = delete;
  RepeatedInput& operator=(const RepeatedInput&) = delete;

  /// The input of one program while this lives; one at a time.
  class InputTurn {
   public:
    explicit InputTurn(const RepeatedInput& input);
    ~InputTurn();
    InputTurn(const InputTurn&) = delete;
    InputTurn& operator=(const InputTurn&) = delete;

    /// For SpawnOptions::input.
    int handle() const { return ends_[0]; }

   private:
    [[noreturn]] void pass_on() const;
    bool write_all(const char* data, std::size_t size) const;
    bool is_ready(int handle, short events) const;

    const int kept_;
    int ends_[2] = {-1, -1};
    int over_[2] = {-1, -1};  // closed when nobody reads any more
    pid_t relay_ = -1;
  };

 private:
  int kept_ = -1;     // a file with what came through the pipe; below 0: it is none
  off_t begin_ = -1;  // where a file is to be read from; below 0: it is none
};

/// As run() does it, with all of the input; null: with what is left of this process's.
int run(const std::vector<std::string>& command, SpawnOptions spawn_options, const RepeatedInput* input);

}  // namespace warpfiber::tools::nvcc
