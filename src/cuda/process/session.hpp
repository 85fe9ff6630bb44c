// SPDX-License-Identifier: Apache-2.0
// What holds for every launch of the process unless the launch says otherwise: read once from the environment. This is
// the only place that reads it. docs/options.md describes every variable.
#pragma once

#include <warpfiber/device.hpp>

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/request/convergence_mode.hpp"
#include "report/catalogue/suppressions.hpp"
#include "schedule/options.hpp"
#include "trace/watch/expression.hpp"

namespace warpfiber::process {

/// What programs with access hooks have checked.
enum class Check {
  off,
  on,
  strict,  // also what is right and not portable
};

/// A byte of a copy from a device, or of managed memory, whose last writer is to be reported.
struct AskedWriter {
  bool managed = false;
  std::uint64_t number = 0;  // among the program's copies, or managed allocations; 0: nothing is asked
  std::uint64_t byte = 0;
};

/// Which operations of cuBLAS and cuSOLVER a library of BLAS and LAPACK computes, where there is one.
enum class BlasUse {
  unset,  // as the environment says
  off,
  large,
  always,
};

struct Session {
  DeviceModel device;
  unsigned devices = 1;  // that CUDA programs find, all of the same model
  unsigned workers = 1;
  bool workers_asked = false;   // WARPFIBER_WORKERS is set
  bool schedule_asked = false;  // a seed or a policy is
  std::size_t stack_bytes = 64 * 1024;
  unsigned watchdog_seconds = 30;
  schedule::PolicyOptions policy;
  engine::Convergence convergence = engine::Convergence::full;
  std::uint64_t most_blocks = 0;   // of a launch; 0: as many as it has
  std::uint64_t most_threads = 0;  // of a block; 0: as many as it has
  bool late = false;               // work of streams starts when somebody synchronises with it
  bool regions = true;             // of the program, where it has some
  unsigned regions_level = 4;      // the newest level of x86-64 for which their code is
  bool quiet = false;              // no reports on standard error
  bool colour = false;             // in reports
  bool standing = false;           // SIGXCPU asks where the program stands
  bool leak_check = false;         // memory that is never freed is reported
  bool stop_at_first = false;      // access that a device refuses, as a device does
  bool verbose = false;            // why a call of CUDA's runtime failed, on standard error
  Check check = Check::on;
  bool check_is_asked = false;  // WARPFIBER_CHECK is set
  BlasUse blas = BlasUse::large;
  int exit_code = 66;                             // of a process with findings that ends with 0; 0: it keeps its own
  std::string findings;                           // the file that findings are written to as JSON, %p: the process's
                                                  // number; empty: none
  std::string profile;                            // the file that counters are written to, %p: as above;
                                                  // empty: none
  std::string trace;                              // the file of the trace, by its suffix in one of two formats, %p: as
                                                  // above; empty: none
  std::string report;                             // the page about the run, %p: as above; empty: none
  std::optional<std::uint64_t> step;              // where the first stop of warpfiber step is; 0: nowhere
  std::vector<trace::WatchExpression> watch;      // whose values that page shows
  std::string results;                            // the file that copies to the host are kept in; empty: none
  std::string schedule;                           // the file that schedules are kept in; empty: none
  std::string copies;                             // the file that takes what comes back from devices; empty: none
  AskedWriter copy_writer;                        // of what comes back
  std::string again;                              // the command that repeats this run; empty: as it was started
  std::string command;                            // the command that started this process; empty: its own
  std::vector<report::Suppression> suppressions;  // findings that are neither printed nor written
};

/// The session of this process.
const Session& session();

/// The file of a variable with the number of `process` for "%p".
std::string file_of_process(std::string pattern, pid_t process);

/// "full", "random" or "none"; false if the word is none of these.
bool parse_convergence(const char* word, engine::Convergence& to);

}  // namespace warpfiber::process
