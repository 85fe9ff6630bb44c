// SPDX-License-Identifier: Apache-2.0
// Refusals as findings in a checked program, as lines in any other.
#include "runtime/launching/refuse.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "process/explain.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/host/asked.hpp"
#include "process/kernels.hpp"
#include "process/last_error.hpp"
#include "process/reporter.hpp"
#include "process/user_call.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/reasons/reasons.hpp"
#include "runtime/checking/unwritten_copies.hpp"

namespace warpfiber::runtime {
namespace {

LaunchResult result_of_refusal(Error error, const std::string& why) {
  return {error, report::id_of(record::Verdict::launch_error).data(), why.c_str()};
}

}  // namespace

LaunchResult refuse(Error error, const record::Reason& reason, const void* address, const record::LaunchFacts& facts) {
  process::remember(error);
  const std::string name = address == nullptr ? "(null)" : process::kernel_name(address);
  record::LaunchFacts launch = facts;
  launch.kernel = name;
  if (process::host_is_checked()) {
    // kernel<<<>>> returns nothing; every other call returns its error.
    const process::UserCall& call = process::user_call();
    const bool returns_error = call.returns_to == nullptr || std::string_view(call.function).starts_with("cudaLaunch");
    const process::HandledError how{error, returns_error ? call.function : nullptr, false};
    process::log_unless_handled(process::refused_launch(error, reason, launch), how);
    if (returns_error && call.returns_to != nullptr) process::finding_is_made();
    return result_of_refusal(error, report::reason_text(reason));
  }
  expect_unwritten();
  process::report_refusal(error, reason, name);
  // A launch of the native interface returns its error.
  if (process::user_call().returns_to != nullptr) {
    process::report_at_exit([finding = process::unseen(process::refused_launch(error, reason, launch))] {
      process::report_host_finding(finding);
    });
  }
  return result_of_refusal(error, report::reason_text(reason));
}

LaunchResult refuse_inside_kernel() {
  const record::Reason reason = record::ReasonKind::launch_inside_kernel;
  process::remember(Error::not_supported);
  expect_unwritten();
  process::report_refusal(Error::not_supported, reason, "a kernel");
  return result_of_refusal(Error::not_supported, report::reason_text(reason));
}

}  // namespace warpfiber::runtime
