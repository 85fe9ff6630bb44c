// SPDX-License-Identifier: Apache-2.0
//
// Instructions in the program's code, as many as functions are distinguished. In a kernel they go on at their own
// address with a bit turned (out_of_reach.hpp), where nothing is: the processor faults as at a call of that address.
#include "memory/host/host_functions.hpp"

#include <warpfiber/detail/current_thread.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "memory/memory_state.hpp"
#include "memory/out_of_reach.hpp"

#ifdef __x86_64__

// Of each 16 bytes: its number into a register that no argument is passed in.
asm(R"(
    .pushsection .text
    .balign 16
    .globl warpfiber_host_functions
    .hidden warpfiber_host_functions
warpfiber_host_functions:
    .set warpfiber_number, 0
    .rept 1024
    .balign 16
    movl $warpfiber_number, %r10d
    jmp warpfiber_to_function
    .set warpfiber_number, warpfiber_number + 1
    .endr
    .balign 16
    .type warpfiber_to_function, @function
warpfiber_to_function:
    movq warpfiber_current_thread@gottpoff(%rip), %r11
    cmpq $0, %fs:8(%r11)
    jne 1f
    leaq warpfiber_functions(%rip), %r11
    jmpq *(%r11,%r10,8)
1:  shlq $4, %r10
    leaq warpfiber_host_functions(%rip), %r11
    addq %r10, %r11
    btcq $46, %r11
    jmpq *%r11
    .size warpfiber_to_function, . - warpfiber_to_function
    .popsection
)");

namespace {

constexpr std::size_t kMost = 1024;
constexpr std::size_t kStep = 16;  // bytes of instructions for a function

}  // namespace

extern "C" {
[[gnu::visibility("hidden")]] extern const char warpfiber_host_functions[kMost * kStep];
/// Filled under the mutex from the first one on; read by the instructions above.
[[gnu::visibility("hidden")]] const void* warpfiber_functions[kMost];
}

static_assert(offsetof(warpfiber::detail::CurrentThread, block) == 8, "the instructions read it");

namespace warpfiber::memory {

struct HostFunctions {
  std::mutex mutex;
  std::map<const void*, const void*> addresses;  // by functions
  std::map<const void*, const void*> of_device;  // functions by themselves
  std::size_t count = 0;
};

namespace {

const void* make_address(const void* function, HostFunctions& known) {
  const char* address = warpfiber_host_functions + known.count * kStep;
  if (known.count == kMost || out_of_reach(address) == address) return function;
  warpfiber_functions[known.count++] = function;
  return address;
}

}  // namespace

const void* const& host_address_of(const void* function) {
  HostFunctions& known = MemoryState::of_process().host_functions.get();
  const bool is_device = function == nullptr || ::warpfiber::detail::current_thread.block != nullptr;
  const std::lock_guard lock(known.mutex);
  // Of the device's address the reference is kept as well.
  auto& kept = is_device ? known.of_device : known.addresses;
  const auto [entry, fresh] = kept.try_emplace(function);
  if (fresh) entry->second = is_device ? function : make_address(function, known);
  return entry->second;
}

const void* function_meant_by(const void* host_address) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(host_address) - reinterpret_cast<std::uintptr_t>(warpfiber_host_functions);
  return offset < kMost * kStep ? warpfiber_functions[offset / kStep] : nullptr;
}

}  // namespace warpfiber::memory

#else

namespace warpfiber::memory {

struct HostFunctions {
  std::mutex mutex;
  std::map<const void*, const void*> addresses;
};

const void* const& host_address_of(const void* function) {
  HostFunctions& known = MemoryState::of_process().host_functions.get();
  const std::lock_guard lock(known.mutex);
  return known.addresses.try_emplace(function, function).first->second;
}

const void* function_meant_by(const void*) {
  return nullptr;
}

}  // namespace warpfiber::memory

#endif
