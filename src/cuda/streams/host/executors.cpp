// SPDX-License-Identifier: Apache-2.0
//
// A thread that is woken counts as one that looks for work from then on, not only when the system lets it run.
#include "streams/host/executors.hpp"

#include <new>
#include <system_error>
#include <utility>

#include "base/system/address_space.hpp"

namespace warpfiber::streams {

Executors::Executors(void (*before_thread)(), std::function<void(Executor&)> serve)
    : before_thread_(before_thread), serve_(std::move(serve)) {}

bool Executors::employ(std::size_t needed) {
  while (looking_ < needed && !are_dismissed()) {
    if (sleeping_ != 0) {
      --sleeping_;
      ++looking_;
      ++wakes_;
      wake_.notify_one();
      continue;
    }
    before_thread_();
    short_ = !add();
    if (short_) return false;
  }
  return true;
}

bool Executors::add() {
  if (!base::has_headroom_for_thread()) return false;
  Executor& executor = all_.emplace_back();
  ++looking_;
  try {
    executor.thread = engine::RuntimeThread([this, &executor] { serve_(executor); });
    return true;
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  --looking_;
  all_.pop_back();
  return false;
}

bool Executors::sleep(std::optional<std::chrono::milliseconds> most) {
  --looking_;
  ++sleeping_;
  if (most.has_value()) {
    const auto end = std::chrono::steady_clock::now() + *most;
    while (!is_woken() && wake_.wait_until(queues_mutex(), end) == std::cv_status::no_timeout) {
    }
  } else {
    while (!is_woken()) wake_.wait(queues_mutex());
  }
  if (is_woken()) {
    if (wakes_ != 0) --wakes_;
    return true;
  }
  --sleeping_;
  ++looking_;
  return false;
}

void Executors::join() {
  std::list<Executor> dismissed;
  {
    const base::Lock lock(queues_mutex());
    dismissed.swap(all_);
  }
  wake_.notify_all();
  for (Executor& executor : dismissed) {
    // One that runs code of the program may be blocked in it, or be the one that has called exit().
    if (executor.in_host_function.load() || executor.thread.is_calling()) {
      executor.thread.detach();
    } else {
      executor.thread.join();
    }
  }
  const base::Lock lock(queues_mutex());
  retired_.splice(retired_.end(), dismissed);
}

}  // namespace warpfiber::streams
