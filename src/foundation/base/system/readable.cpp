// SPDX-License-Identifier: Apache-2.0
// The kernel reads a set of signals before it looks at what is to be done with it, and refuses the latter.
#include "base/system/readable.hpp"

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#endif

namespace warpfiber::base {

bool is_readable([[maybe_unused]] const void* address) {
#ifdef __linux__
  constexpr int kNothing = -1;
  constexpr long kBytes = 8;
  const std::uintptr_t word = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{kBytes - 1};
  if (word == 0) return false;  // to the kernel, no set at all
  const int kept = errno;
  const bool refused = ::syscall(SYS_rt_sigprocmask, kNothing, word, nullptr, kBytes) != 0 && errno == EFAULT;
  errno = kept;
  return !refused;
#else
  return true;
#endif
}

}  // namespace warpfiber::base
