// SPDX-License-Identifier: Apache-2.0
// Mistakes of the host program as findings: launches that a device refuses or that never ran, memory that cannot be
// freed, copies of memory that is not there, other calls that are refused. A program that is not checked gets an error
// code for them, and reads of them at its end if it never asked. Any thread may call, none inside a kernel: lines are
// looked up.
#pragma once

#include <warpfiber/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "process/user_call.hpp"
#include "record/finding.hpp"
#include "record/reason.hpp"
#include "record/stream_observer.hpp"

namespace warpfiber::process {

/// The launch of `launch.kernel` that the call in progress asks for is refused with `error`.
record::Finding refused_launch(Error error, const record::Reason& reason, const record::LaunchFacts& launch);

/// The call in progress, of `function`, returns an error; why is left to the caller.
record::Finding refused_call(const char* function);

/// The kernel did not run, because its device had failed before with `error`, or because the process is ending.
record::Finding launch_after_failure(Error error, const record::LaunchFacts& launch);

/// A finding about the memory at `address` and a call of the program; the rest is left to the caller.
record::Finding host_memory_finding(record::Verdict verdict, const void* address, const UserCall& call);

/// `call` wants to free what it cannot; `why` is a clause: "the address is in device memory that was freed".
record::Finding invalid_free(const void* address, const record::Reason& why, const UserCall& call);

/// The call in progress wants to copy or fill memory that was freed (use-after-free), or beyond what there is
/// (oob-global); `writes`: that end is the `destination`, which
/// is null where it is no ordinary memory.
record::Finding invalid_transfer(record::Verdict verdict, const void* address, bool writes, const void* destination,
                                 const record::Reason& why);

/// Where the object at `address` begins, as a finding has it; 0: there is none.
std::uint64_t begin_of_object(const void* address);

/// Host functions of streams, and the program's calls that wait for streams, all sleep until another thread wakes them.
record::Finding host_functions_asleep(const std::vector<record::OperationFacts>& functions,
                                      const std::vector<UserCall>& waits);

/// The same as a warning for programs that never look at errors.
record::Finding unseen(record::Finding finding);

/// Whether the host's mistakes are findings at once: the program is checked.
bool host_is_checked();

/// The one way out for all of these.
void report_host_finding(record::Finding finding);

}  // namespace warpfiber::process
