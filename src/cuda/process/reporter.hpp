// SPDX-License-Identifier: Apache-2.0
// Where reports go: standard error, whole and one at a time. Also fills in what only the runtime knows of a finding.
#pragma once

#include <warpfiber/device.hpp>
#include <warpfiber/error.hpp>
#include <warpfiber/occupancy.hpp>

#include <string>

#include "record/finding.hpp"
#include "record/reason.hpp"

namespace warpfiber::engine {
struct GridRequest;
}

namespace warpfiber::process {

/// Adds the kernel's name, the limit that keeps blocks out, and the command that repeats the run.
void complete_finding(record::Finding& finding, const DeviceModel& model, const KernelAttributes& attributes,
                      const engine::GridRequest& request, const void* kernel);

/// The error that the device gives for such a kernel.
Error error_of(const record::Finding& finding);

/// The line that a device prints of an assertion that fails; scripts look for it.
std::string device_assertion(const record::Party& party);

/// Prints text on standard error, whole, after what the program has printed; not in a quiet session.
void print_report(const std::string& text);

/// The same for a line that is made of a reason.
void print_line(const record::Reason& reason);

/// A line without arguments where there is no memory to make a text; whether the session is quiet or not.
void print_without_memory(record::ReasonKind kind);

/// Prints why a launch was refused unless the session is quiet.
void report_refusal(Error error, const record::Reason& reason, const std::string& kernel);

}  // namespace warpfiber::process
