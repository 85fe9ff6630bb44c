// SPDX-License-Identifier: Apache-2.0
// Whether there is room is seen by mapping as much and unmapping it. Sources: setrlimit(2), RLIMIT_AS and RLIMIT_STACK;
// mmap(2).
#include "base/system/address_space.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace warpfiber::base {
namespace {

// libdw maps the debug information of the program and of libraries, and needs some hundred KiB of heap and stack.
constexpr std::size_t kHeadroom = std::size_t{8} << 20;
constexpr std::size_t kFirstStack = std::size_t{1} << 20;

bool is_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

bool stack_may_grow() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur / 2 >= kFirstStack;
}

/// Null where there is none.
char* map(std::size_t bytes, int protection) {
  void* memory = ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

bool can_map(std::size_t bytes) {
  char* room = map(bytes, PROT_NONE);
  if (room == nullptr) return false;
  ::munmap(room, bytes);
  return true;
}

__attribute__((noinline)) void touch_below() {
  volatile char below[kFirstStack];
  below[0] = 0;
  static_cast<void>(below[0]);
}

}  // namespace

bool has_headroom(std::size_t bytes) {
  return !is_limited() || can_map(kHeadroom + bytes);
}

bool has_addresses(std::size_t bytes) {
  return is_limited() || can_map(bytes);
}

bool has_headroom_for_thread() {
  std::size_t stack = std::size_t{8} << 20;
#ifdef __GLIBC__
  pthread_attr_t attributes;
  if (::pthread_getattr_default_np(&attributes) == 0) {
    ::pthread_attr_getstacksize(&attributes, &stack);
    ::pthread_attr_destroy(&attributes);
  }
#endif
  return has_headroom(stack);
}

char* map_with_headroom(std::size_t bytes, int protection) {
  char* memory = map(bytes, protection);
  if (memory == nullptr || has_headroom()) return memory;
  ::munmap(memory, bytes);
  return nullptr;
}

void grow_first_stack() {
  const bool is_first_thread = ::syscall(SYS_gettid) == ::getpid();
  if (is_first_thread && is_limited() && stack_may_grow() && has_headroom()) touch_below();
}

// The kernel reads a set of signals before it looks at what is to be done with it, and refuses the latter.
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
