// SPDX-License-Identifier: Apache-2.0
// Runs producer_consumer; the reference knows Gauss's formula. Setting::size counts tasks, Setting::grid blocks with
// the master; blocks may have any size.
#include "producer_consumer.hpp"

#include "grid.hpp"

namespace gallery {

namespace {

/// The result of each task, then their total.
std::vector<unsigned> reference(std::size_t tasks) {
  std::vector<unsigned> results;
  unsigned total = 0;
  for (unsigned n = 1; n <= tasks; ++n) {
    results.push_back(n * (n + 1) / 2);
    total += results.back();
  }
  results.push_back(total);
  return results;
}

TaskQueue empty_queue() {
  TaskQueue queue{};
  for (unsigned i = 0; i < TaskQueue::kSlots; ++i) queue.slots[i].turn = i;
  return queue;
}

}  // namespace

Record run_producer_consumer(const Setting& setting) {
  warpfiber::Buffer<TaskQueue> queue(1);
  queue.fill(empty_queue());
  warpfiber::Buffer<unsigned> results(setting.size);
  warpfiber::Buffer<unsigned> total(1);
  Trial trial(setting);
  trial.launch<producer_consumer>({.grid = setting.grid, .block = setting.block, .cooperative = true}, queue.data(),
                                  static_cast<unsigned>(setting.size), results.data(), total.data());
  auto numbers = results.download();
  numbers.push_back(total.download()[0]);
  return trial.compare(numbers, reference(setting.size));
}

}  // namespace gallery
