// SPDX-License-Identifier: Apache-2.0
#include "check/launches.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "check/watch.hpp"

namespace warpfiber::check {

constinit std::atomic<unsigned> running_launches{0};
constinit std::atomic<unsigned> overtaken_launches{0};

namespace {

struct Register {
  std::mutex mutex;
  std::uint64_t taken = 0;
  std::array<LaunchShape, kLaunches> shapes{};
  std::uint64_t latest = 0;  // operation that has begun
};

std::atomic<std::uint64_t> begun{0};

Register& launches() {
  static Register& all = *new Register;
  return all;
}

/// What the cell says happened before everything; which bytes it concerns stays.
void settle(Cell& cell) {
  cell &= kAllBytes | kWrite | kMore;
}

template <class Of>
LaunchSet launches_where(Of of) {
  LaunchSet found;
  Register& all = launches();
  const std::lock_guard lock(all.mutex);
  const std::uint64_t last = std::min<std::uint64_t>(all.taken, kLaunches - 1);
  for (unsigned number = 1; number <= last; ++number) found[number] = of(all.shapes[number].operation);
  return found;
}

}  // namespace

unsigned take_launch_number(const LaunchShape& shape) {
  Register& all = launches();
  const std::lock_guard lock(all.mutex);
  if (all.taken != 0 && all.taken % (kLaunches - 1) == 0) shadow.rewrite(settle);
  const auto number = static_cast<unsigned>(all.taken % (kLaunches - 1)) + 1;
  all.shapes[number] = shape;
  all.shapes[number].overtaken = shape.operation < all.latest;
  all.latest = std::max(all.latest, shape.operation);
  if (all.shapes[number].overtaken) overtaken_launches.fetch_add(1);
  begun.store(++all.taken);
  running_launches.fetch_add(1);
  return number;
}

void end_launch(unsigned number) {
  running_launches.fetch_sub(1);
  if (launch_shape(number).overtaken) overtaken_launches.fetch_sub(1);
}

std::vector<unsigned> launch_numbers(const std::vector<std::uint64_t>& operations) {
  std::vector<unsigned> numbers;
  if (operations.empty()) return numbers;
  Register& all = launches();
  const std::lock_guard lock(all.mutex);
  for (unsigned number = 1; number < kLaunches; ++number) {
    if (std::ranges::binary_search(operations, all.shapes[number].operation)) numbers.push_back(number);
  }
  return numbers;
}

LaunchSet launches_beside(const record::LaunchOrder& operation) {
  return launches_where([&operation](std::uint64_t other) { return operation.is_unordered_with(other); });
}

LaunchSet numbers_of_launch(std::uint64_t operation) {
  return launches_where([operation](std::uint64_t other) { return other != 0 && other == operation; });
}

std::uint64_t launches_begun() {
  return begun.load(std::memory_order_acquire);
}

LaunchShape launch_shape(unsigned number) {
  Register& all = launches();
  const std::lock_guard lock(all.mutex);
  return all.shapes[number];
}

}  // namespace warpfiber::check
