// SPDX-License-Identifier: Apache-2.0
// What copies bring from devices to the host, kept in the file that WARPFIBER_RESULTS names, so that `warpfiber check`
// can compare schedules (src/tools/check/documents/outcome.hpp reads it). A record is a line of JSON and the bytes that
// were kept. Invariants: what is kept is bounded, what is beyond that is hashed; the file is complete however the
// process ends. Any thread may call, not inside a kernel.
#pragma once

#include "process/box.hpp"
#include "record/launch_order.hpp"

namespace warpfiber::process {

/// Whether the session keeps results.
bool keeps_results();

/// Keeps what the copy `order` from `from` has brought to the box at `to`.
void keep_result(const CopyPlace& to, const CopyPlace& from, const Box& box, const record::LaunchOrder& order);

}  // namespace warpfiber::process
