// SPDX-License-Identifier: Apache-2.0
// What is printed and written of findings, as the environment says (session.cpp).
#pragma once

#include <sys/types.h>
#include <string>
#include <vector>

#include "report/catalogue/suppressions.hpp"

namespace warpfiber::process {

struct ReportSettings {
  bool quiet = false;                             // no reports on standard error
  bool colour = false;                            // in reports
  bool verbose = false;                           // why a call of CUDA's runtime failed, on standard error
  int exit_code = 66;                             // of a process with findings that ends with 0; 0: it keeps its own
  std::string findings;                           // the file that findings are written to as JSON, %p: the process's
                                                  // number; empty: none
  std::string again;                              // the command that repeats this run; empty: as it was started
  std::string command;                            // the command that started this process; empty: its own
  std::vector<report::Suppression> suppressions;  // findings that are neither printed nor written
};

const ReportSettings& report_settings();

/// The file of a variable with the number of `process` for "%p".
std::string file_of_process(std::string pattern, pid_t process);

}  // namespace warpfiber::process
