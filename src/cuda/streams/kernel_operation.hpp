// SPDX-License-Identifier: Apache-2.0
// The launch of a kernel as an operation of a stream: what was said at the call, and copies of the kernel's arguments.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "streams/prepared_launch.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::engine {
class MultiGrid;
}

namespace warpfiber::streams {

/// The call of a kernel with copies of its arguments. Threads only read it, so several launches may share one.
class KernelClosure {
 public:
  /// `construct(memory)` makes the closure in memory of that size and alignment.
  template <class Construct>
  KernelClosure(std::size_t bytes, std::size_t alignment, void (*destroy)(void*), Construct construct)
      : alignment_(std::align_val_t{alignment}),
        destroy_(destroy),
        memory_(::operator new (bytes, std::align_val_t{alignment})) {
    construct(memory_);
  }
  ~KernelClosure() {
    destroy_(memory_);
    ::operator delete(memory_, alignment_);
  }
  KernelClosure(const KernelClosure&) = delete;
  KernelClosure& operator=(const KernelClosure&) = delete;

  const void* get() const { return memory_; }

 private:
  std::align_val_t alignment_;
  void (*destroy_)(void*);
  void* memory_;
};

/// A launch. Its closure is that of `launch.request`.
struct KernelOperation {
  PreparedLaunch launch;
  std::shared_ptr<const KernelClosure> closure;
  const char* name = nullptr;  // of the kernel; null: its launch was native
  int priority = 0;            // the smaller, the sooner the launch gets room on its device
  // Of a launch on several devices, else null.
  std::shared_ptr<engine::MultiGrid> multi{};
  unsigned rank = 0;
  std::shared_ptr<void> caller{};  // who waits for a native launch (runtime/native.cpp), else null
};

/// The launch that `task` is.
inline KernelOperation& launch_of(const Task& task) {
  return *std::get<std::shared_ptr<KernelOperation>>(task.operation);
}

/// A task that launches as `operation` says.
std::unique_ptr<Task> launch_task(std::shared_ptr<KernelOperation> operation, TaskFunction run);

/// A launch whose turn has come: the order of operations before it is taken, it gets its share of its device, and holds
/// that until `run` has returned, with what has gone wrong with the device. False: the launch was cancelled before it
/// had room, and `run` is not called.
bool run_with_room(const Task& task, Error& error, Error (*run)(const Task& task));

}  // namespace warpfiber::streams
