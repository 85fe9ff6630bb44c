// SPDX-License-Identifier: Apache-2.0
// The last error of each OS thread's calls, which cudaGetLastError returns and forgets. Errors that stay until the
// device is reset are the device's (device_errors.hpp). Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

namespace warpfiber::process {

/// Keeps `error` unless it is success, and returns it.
Error remember(Error error);

/// cudaPeekAtLastError and cudaGetLastError, as far as they concern the calling OS thread.
Error peek_last_error();
Error take_last_error();

/// Puts back what peek_last_error() has returned: functions of the driver leave no error.
void restore_last_error(Error error);

}  // namespace warpfiber::process
