// SPDX-License-Identifier: Apache-2.0
//
// Child processes without a shell in between, and the files they leave.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace warpfiber::tools::nvcc {

/// What a child has of its own.
struct SpawnOptions {
  std::vector<std::string> variables{};  // "NAME=value" in place of this process's of that name; "NAME": without it
  bool silent = false;                   // its standard output and error go nowhere
  std::string* output = nullptr;         // where the beginning of its standard output is kept besides; null: nowhere
  std::string output_file{};             // the file that its standard output goes to; empty: where this process's does
  std::string error_file{};              // the same for its standard error
  bool joins_error = false;              // its standard error goes where its standard output does
  int input = -1;                        // its standard input; below 0: this process's
  unsigned most_seconds = 0;             // after which it is killed; 0: it may take its time
  bool* out_of_time = nullptr;           // set where it was
  int* ended_by = nullptr;               // the signal that ended it; 0: it returned
  bool is_asked = false;                 // by SIGXCPU where it stands, before it is killed
  bool is_program = false;               // the user's: it gets each signal that this process gets, as it is
};

/// Runs a program found on the path, with this process's standard streams, and waits. Its exit status; 128 + the signal
/// that ended it; 127 if it cannot be run, which is then said on standard error. After a signal that ends this process
/// nothing is run: 128 + that signal.
int run(const std::vector<std::string>& command, const SpawnOptions& spawn_options = {});

/// A program that runs while this process goes on; run() may be called meanwhile. One at a time.
class ConcurrentProcess {
 public:
  /// As run() starts it; options that have to do with its time or its output's beginning are not for it.
  ConcurrentProcess(std::vector<std::string> command, SpawnOptions spawn_options);
  /// Ends it where nobody has waited.
  ~ConcurrentProcess();
  ConcurrentProcess(const ConcurrentProcess&) = delete;
  ConcurrentProcess& operator=(const ConcurrentProcess&) = delete;
  /// What run() returns. Once.
  int wait();

 private:
  struct Running;
  std::unique_ptr<Running> running_;
};

/// The file that a name stands for which a shell could run, by PATH where it has no slash; empty: none.
std::string program_path(const std::string& name);

/// Whether the file is a program, or a script that starts one. Shared libraries can be executed, too: they are to be
/// linked.
bool is_program_file(const std::string& path);

/// The command as a line that a shell would take.
std::string quoted(const std::vector<std::string>& command);

/// What is in a file; empty if it cannot be read.
std::string content_of(const std::string& path);

/// Makes `text` all that is in a file. Whether it could be written.
bool write_content(const std::string& path, const std::string& text);

}  // namespace warpfiber::tools::nvcc
