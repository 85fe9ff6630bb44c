// SPDX-License-Identifier: Apache-2.0
// What depends on the processor: what it has, and the few things that only assembly can do. The folders x86_64 and
// portable define it; what is compiled for one kind of processor stands there and nowhere else.
#pragma once

#include <warpfiber/detail/host_instructions.hpp>

#include <cstddef>

namespace warpfiber::base {

/// For warpfiber::detail::host_instructions.
detail::HostInstructions find_host_instructions();

/// The level of the x86-64 ABI, 1 to 4; 1 on other processors.
unsigned find_processor_level();

// Instructions in the program's code that go on at a function, as many as functions are distinguished: addresses that
// the host can call, and a thread of a kernel cannot. Other processors than x86-64 have none.

struct FunctionEntries {
  const char* begin = nullptr;  // of the instructions
  std::size_t count = 0;
  std::size_t bytes = 1;             // of the instructions of each
  const void** functions = nullptr;  // that they go on at; read by the instructions
};

/// Of the process.
FunctionEntries function_entries();

/// Calls `function` with `data`, and says of its caller that it is the code in which `fiber` goes on: stack pointer,
/// return address and frame pointer are those that the switch has kept (offsets 0, 8 and 16). It needs no other
/// register. A call whose caller is, for unwinders, a fiber that waits; of the fiber switch for x86-64 only.
extern "C" void warpfiber_call_below(const void* fiber, void (*function)(void*), void* data);

/// For compilers the value is used here, and memory may be changed: a function that does nothing is called all the
/// same. Assembly without an instruction, which any processor has.
template <class T>
inline __attribute__((always_inline)) void use(T value) {
  asm volatile("" : : "r"(value) : "memory");
}

}  // namespace warpfiber::base
