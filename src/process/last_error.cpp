// SPDX-License-Identifier: Apache-2.0
//
// One thread-local value, which only errors replace.
#include "process/last_error.hpp"

#include <utility>

namespace warpfiber::runtime {
namespace {

constinit thread_local Error last = Error::success;

}  // namespace

Error remember(Error error) {
  if (error != Error::success) last = error;
  return error;
}

Error peek_last_error() {
  return last;
}

Error take_last_error() {
  return std::exchange(last, Error::success);
}

}  // namespace warpfiber::runtime
