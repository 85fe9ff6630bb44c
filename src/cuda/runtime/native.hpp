// SPDX-License-Identifier: Apache-2.0
// Streams of the native API (warpfiber/stream.hpp). They are streams of CUDA's, on the current device, in which
// launches fail one by one: what goes wrong is the stream's and not the device's, and the process goes on. For as long
// as there is one, launches and copies without a stream are the legacy default stream's. Any thread of the program may
// call.
#pragma once

#include <warpfiber/launch.hpp>

#include "launches/prepared_launch.hpp"

namespace warpfiber::runtime {

/// Whether there is a stream of the native API, or one that is gone has work left. Cheap.
bool streams_in_use();

/// Appends an accepted launch to its stream, with a copy of its closure; to the default stream and while a determinism
/// check records, waits for it as well. The result is that of a launch in the default stream; a failure in another is
/// that stream's.
LaunchResult launch_in_stream(launches::PreparedLaunch&& launch, const detail::KernelCall& call, StreamRef where);

/// The host waits until the default stream could do something, and until no stream has anything to do.
void join_default_stream();
void join_all_streams();

}  // namespace warpfiber::runtime
