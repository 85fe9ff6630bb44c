// SPDX-License-Identifier: Apache-2.0
// A fiber that runs one function and comes back. AddressSanitizer learns the bounds of the stack to come back to when
// the fiber begins: the caller's stack may be an OS thread's or that of a kernel's thread.
#include "fiber/large_stack.hpp"

#include <warpfiber/detail/fiber.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>

#include "fiber/stacks.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::fiber {
namespace {

using detail::Fiber;
using detail::FiberDetails;

constexpr std::size_t kBytes = std::size_t{1} << 20;

/// The mapping, or null memory.
class MappedStack {
 public:
  MappedStack()
      : memory_(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~MappedStack() {
    if (is_mapped()) ::munmap(memory_, kBytes);
  }
  MappedStack(const MappedStack&) = delete;
  MappedStack& operator=(const MappedStack&) = delete;

  bool is_mapped() const { return memory_ != MAP_FAILED; }
  char* low() const { return static_cast<char*>(memory_); }
  char* high() const { return low() + kBytes; }

 private:
  void* memory_;
};

struct LargeStackRun {
  const std::function<void()>& work;
  Fiber& caller;
  Fiber& fiber;
  bool had_memory = false;
};

// An entry has no parameters.
constinit thread_local LargeStackRun* beginning = nullptr;

void begin_work() {
  LargeStackRun& run = *std::exchange(beginning, nullptr);
  announce_entry_from(run.caller);
  try {
    run.work();
    run.had_memory = true;
  } catch (const std::bad_alloc&) {
  }
  detail::switch_announced(&run.fiber, &run.caller);
}

}  // namespace

bool run_on_large_stack(const std::function<void()>& work) {
  const MappedStack stack;
  if (!stack.is_mapped()) return false;
  FiberDetails details_of_caller;
  FiberDetails details{.stack_low = stack.low(), .stack_high = stack.high()};
  Fiber caller{.more = &details_of_caller};
  Fiber fiber{.more = &details};
  announce_stack(fiber);
  prepare_entry(fiber, begin_work);
  LargeStackRun run{work, caller, fiber};
  beginning = &run;
  detail::switch_announced(&caller, &fiber);
  forget_stack(fiber);
  return run.had_memory;
}

}  // namespace warpfiber::fiber
