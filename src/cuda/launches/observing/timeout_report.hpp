// SPDX-License-Identifier: Apache-2.0
// What a process says when the time that it was given is over (docs/checking.md, --timeout): what was found in the
// launches that run, where their threads are, and where the program is.
#pragma once

namespace warpfiber::launches {

/// From now on SIGXCPU makes the process report that on standard error, and end; so do SIGINT and SIGTERM where the
/// program does not handle them itself. To be called before the first launch.
void install_timeout_report();

/// A launch whose findings are still to be reported. While one exists, the end of the time waits for it.
class ReportingLaunch {
 public:
  ReportingLaunch();
  /// Does not return if the time is over: the program is not to go on as if the launch had ended by itself.
  ~ReportingLaunch();
  ReportingLaunch(const ReportingLaunch&) = delete;
  ReportingLaunch& operator=(const ReportingLaunch&) = delete;
};

}  // namespace warpfiber::launches
