// SPDX-License-Identifier: Apache-2.0
//
// Replaces __cxa_allocate_exception of the C++ library, so that each thrown object is remembered. The last few of
// each OS thread are kept, as threads of kernels may throw while another one waits to catch.
#include "abi/hooks/judging.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>

#include "abi/hooks/busy.hpp"

namespace warpfiber::abi {
namespace {

struct Thrown {
  const char* begin = nullptr;
  std::size_t bytes = 0;
};

// A thread that throws may be made to wait before it catches, and others may throw meanwhile.
constexpr std::size_t kKept = 4;
constinit thread_local Thrown thrown[kKept];
constinit thread_local std::size_t next = 0;

using Allocate = void* (*)(std::size_t);

}  // namespace

bool is_thrown(const void* address) {
  if (next == 0) return false;
  const auto holds = [at = static_cast<const char*>(address)](const Thrown& one) {
    return at >= one.begin && at < one.begin + one.bytes;
  };
  return std::any_of(std::begin(thrown), std::end(thrown), holds);
}

/// Under this name the program's own throw expressions find it, and no other module does. Where the C++ library is
/// linked statically, its function takes the place of this one.
void* allocate_exception(std::size_t bytes) noexcept __asm__("__cxa_allocate_exception")
    __attribute__((weak, visibility("hidden")));

void* allocate_exception(std::size_t bytes) noexcept {
  const Busy busy;
  static const auto allocate = reinterpret_cast<Allocate>(::dlsym(RTLD_DEFAULT, "__cxa_allocate_exception"));
  if (allocate == nullptr) std::abort();
  void* object = allocate(bytes);
  if (detail::current_thread.worker != nullptr) thrown[next++ % kKept] = {static_cast<const char*>(object), bytes};
  return object;
}

}  // namespace warpfiber::abi
