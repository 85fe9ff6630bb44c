// SPDX-License-Identifier: Apache-2.0
//
// Runs work on a new OS thread with a large stack. Where the system gives no thread, it maps a stack and switches to
// it with makecontext().
#include "base/room.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace warpfiber::base {
namespace {

constexpr std::size_t kRoom = std::size_t{1} << 20;

// makecontext() hands on numbers only.
constinit thread_local const std::function<void()>* work_here = nullptr;

bool has_memory_for(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

constinit thread_local bool had_memory = false;

void run_here() {
  had_memory = has_memory_for(*std::exchange(work_here, nullptr));
}

bool on_mapped_stack(const std::function<void()>& work) {
  void* stack = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return false;
  ucontext_t here;
  ucontext_t there;
  ::getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = kRoom;
  there.uc_link = &here;
  ::makecontext(&there, run_here, 0);
  work_here = &work;
  ::swapcontext(&here, &there);
  ::munmap(stack, kRoom);
  return had_memory;
}

}  // namespace

bool with_room(const std::function<void()>& work) {
  try {
    bool done = false;
    std::thread([&] { done = has_memory_for(work); }).join();
    return done;
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  return on_mapped_stack(work);
}

}  // namespace warpfiber::base
