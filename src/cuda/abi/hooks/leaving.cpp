// SPDX-License-Identifier: Apache-2.0
//
// A checked program's ways out that call no handlers. They take the place of the C library's, as ThreadSanitizer's do,
// so that what was launched is judged here too.
#include "runtime/process_end.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" __attribute__((visibility("default"))) void _exit(int status) {
  warpfiber::runtime::leave_without_handlers(status);
}

extern "C" __attribute__((visibility("default"))) void _Exit(int status) noexcept {
  warpfiber::runtime::leave_without_handlers(status);
}
// NOLINTEND(bugprone-reserved-identifier)
