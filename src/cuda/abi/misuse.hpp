// SPDX-License-Identifier: Apache-2.0
// How misuse of objects in memory is reported: barriers and copies may also be used by the host, where no launch can
// end.
#pragma once

#include <warpfiber/detail/site.hpp>

#include "record/diagnosis.hpp"

namespace warpfiber::abi {

/// Ends the launch with `cg-misuse`; outside a kernel, the process. `at`: the memory that is wrong, or null.
[[noreturn]] void report_misuse(const record::Diagnosis& diagnosis, const char* call, const void* at, Site site);

}  // namespace warpfiber::abi
