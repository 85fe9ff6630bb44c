// SPDX-License-Identifier: Apache-2.0
//
// Calls AddressSanitizer through weak symbols, which only programs that link it define, and valgrind by its client
// requests. Neither has to be there when the library is built.
#include "fiber/tools.hpp"

#include <warpfiber/detail/claim.hpp>

#include <pthread.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define WARPFIBER_VALGRIND 1
#endif

// Present only in programs that link AddressSanitizer.
extern "C" {
void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, std::size_t* size) __attribute__((weak));
void __asan_unpoison_memory_region(const void* address, std::size_t size) __attribute__((weak));
}

namespace warpfiber::fiber {

using detail::Fiber;
using detail::FiberDetails;

namespace {

struct OwnStack {
  char* low = nullptr;
  char* high = nullptr;
};

OwnStack own_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  return {static_cast<char*>(low), static_cast<char*>(low) + size};
}

}  // namespace

void announce_stack([[maybe_unused]] Fiber& fiber) {
#ifdef WARPFIBER_VALGRIND
  fiber.more->tool_id = static_cast<unsigned>(VALGRIND_STACK_REGISTER(fiber.more->stack_low, fiber.more->stack_high));
#endif
}

void announce_defined([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t size) {
#ifdef WARPFIBER_VALGRIND
  VALGRIND_MAKE_MEM_DEFINED(memory, size);
#endif
}

void forget_stack([[maybe_unused]] Fiber& fiber) {
#ifdef WARPFIBER_VALGRIND
  VALGRIND_STACK_DEREGISTER(fiber.more->tool_id);
#endif
  announce_discard(fiber);
}

bool is_observed() {
#ifdef WARPFIBER_VALGRIND
  if (RUNNING_ON_VALGRIND != 0) return true;
#endif
  // proc(5), "status": the process that traces this one, or 0.
  constexpr std::string_view kTracer = "TracerPid:";
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == kTracer) return status >> word && word != "0";
  }
  return false;
}

void note_own_stack(Fiber& host) {
  if (!is_sanitized()) return;
  thread_local const OwnStack own = own_stack();
  host.more->stack_low = own.low;
  host.more->stack_high = own.high;
}

void announce_new_life(const Fiber& self) {
  if (__sanitizer_start_switch_fiber == nullptr) return;
  const FiberDetails& stack = *self.more;
  __sanitizer_start_switch_fiber(nullptr, stack.stack_low,
                                 static_cast<std::size_t>(stack.stack_high - stack.stack_low));
}

void announce_entry_from(Fiber& from) {
  if (__sanitizer_finish_switch_fiber == nullptr) return;
  const void* low = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(nullptr, &low, &size);
  from.more->stack_low = static_cast<char*>(const_cast<void*>(low));
  from.more->stack_high = from.more->stack_low + size;
}

void announce_plain(const void* memory, std::size_t size) {
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(memory, size);
}

void announce_discard(const Fiber& fiber) {
  const FiberDetails& stack = *fiber.more;
  announce_plain(stack.stack_low, static_cast<std::size_t>(stack.stack_high - stack.stack_low));
}

void call_defined([[maybe_unused]] std::uint64_t& number) {
#ifdef WARPFIBER_VALGRIND
  VALGRIND_MAKE_MEM_DEFINED(&number, sizeof number);
#endif
}

}  // namespace warpfiber::fiber

namespace warpfiber::detail {

void switch_announced(Fiber* from, Fiber* to) {
  if (!fiber::is_sanitized()) {
    switch_stack(from, to);
    return;
  }
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, to->more->stack_low,
                                 static_cast<std::size_t>(to->more->stack_high - to->more->stack_low));
  switch_stack(from, to);
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
}

void announce_entry() {
  if (__sanitizer_finish_switch_fiber != nullptr) __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
}

}  // namespace warpfiber::detail
