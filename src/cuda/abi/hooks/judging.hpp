// SPDX-License-Identifier: Apache-2.0
// What the hooks ask of an access of a checked kernel that no fast path has taken: whether it is to be left out,
// because no device would do it. Called by this folder, inside a checked kernel. Where such an access ends the launch
// instead, the functions do not come back.
#pragma once

#include <warpfiber/detail/current_thread.hpp>
#include <warpfiber/detail/fiber.hpp>

#include <cstddef>
#include <cstdint>

#include "check/launch/launch_checker.hpp"
#include "instrument/x86/steps.hpp"

namespace warpfiber::abi {

/// Where what code of kernels may touch of the OS thread's own lies, apart from current_thread: the built-in variables
/// and what the public headers keep. The same in every thread, as all of it is in the executable's block.
struct ThreadLocals {
  std::uintptr_t begin = 0;  // behind current_thread, modulo 2^64
  std::uintptr_t bytes = 0;
};
extern const ThreadLocals thread_locals;

inline bool is_thread_local(const void* address) {
  const auto here = reinterpret_cast<std::uintptr_t>(&detail::current_thread);
  return reinterpret_cast<std::uintptr_t>(address) - here - thread_locals.begin < thread_locals.bytes;
}
inline bool is_on_own_stack(const void* address) {
  const detail::CurrentThread& running = detail::current_thread;
  const auto* fiber = running.waitable != nullptr ? running.waitable : running.fiber;
  const auto* at = static_cast<const char*>(address);
  return fiber != nullptr && at >= fiber->more->stack_low && at < fiber->more->stack_high;
}

// Nothing is passed by reference to what a hook has on its stack, or the hook would not be left by a jump.
// `instruction` is the one after the call of the hook. All report the access; true where it is to be left out.
/// In the device space, and aligned as it has to be.
bool judge_access(const void* address, std::size_t bytes, bool write, const void* instruction);
/// Outside of it, and of what belongs to the OS thread.
bool judge_outside(const void* address, std::size_t bytes, check::Use use, const void* instruction);
/// Anywhere, with any alignment.
bool judge_range(const void* address, std::size_t bytes, bool write, const void* instruction);
/// Atomic or volatile, anywhere.
bool judge_atomic(const void* address, unsigned bytes, const check::AtomicUse& use, const void* instruction);
bool judge_volatile(const void* address, unsigned bytes, bool write, const void* instruction);
/// Of an access that is not aligned, in the device space.
bool refuse_misaligned(const void* address, unsigned bytes, bool write, const void* instruction);

/// Whether an atomic operation at `address` needs no judgement before it is done. Reports nothing.
bool may_access(const void* address, unsigned bytes);

/// Has the code that called the hook go on without the access. The last thing that a hook does.
inline void leave_out(const void* address, std::size_t bytes, const void* instruction) {
  detail::current_thread.busy = true;
  instrument::x86::warpfiber_leave_out(address, bytes, instruction);
}

// Objects that kernels throw. They lie in the C++ library's memory, which no device can access; but a kernel that
// throws is a finding of its own, and what is thrown the thread may write and read.

/// Whether `address` is in one of the last few objects that threads of kernels threw on this OS thread.
bool is_thrown(const void* address);

/// Has the GoogleTest that the program links report what is found as failures of its tests. Once, before main().
void listen_to_google_test();

}  // namespace warpfiber::abi
