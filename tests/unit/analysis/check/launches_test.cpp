// SPDX-License-Identifier: Apache-2.0
// Launches that nothing orders: whichever of them begins, reads or ends first, the race between them is found.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "check/enable.hpp"
#include "check/launch/launch_checker.hpp"
#include "memory/global_heap.hpp"
#include "support/catch.hpp"
#include "unit/analysis/check/quick_ends.hpp"

using namespace warpfiber::check;
using warpfiber::check::test::Ends;
namespace memory = warpfiber::memory;
namespace record = warpfiber::record;

namespace {

/// One launch of a single thread.
class OneThread {
 public:
  OneThread(std::uint64_t operation, std::vector<std::uint64_t> unordered)
      : checker_(GridShape{}, order_of(operation, std::move(unordered)),
                 {.stack_owner = [](const void*) { return std::nullopt; }}) {
    checker_.begin_block(block_, 0, arena_);
    checker_.enter(block_);
  }

  void write(const int* word) { access(word, Use{.write = true}); }
  void read(const int* word) { access(word, Use{.read = true}); }

  std::uint64_t races() const {
    std::uint64_t races = 0;
    for (const Violation& one : checker_.log().violations().all())
      races += one.kind == ViolationKind::race ? one.repeats + 1 : 0;
    return races;
  }

 private:
  static record::LaunchOrder order_of(std::uint64_t operation, std::vector<std::uint64_t> unordered) {
    record::LaunchOrder order;
    order.number = operation;
    order.unordered = std::move(unordered);
    return order;
  }

  void access(const int* word, const Use& use) {
    Ends::telling = &checker_;
    if (use.write) {
      Quick<Ends, true>::access(shadow.index_of(word), this, &checker_);
    } else {
      Quick<Ends, false>::access(shadow.index_of(word), this, &checker_);
    }
  }

  memory::SharedArena arena_;
  BlockShadow block_;
  LaunchChecker checker_;
};

/// Memory of the device that the host has filled.
class Words {
 public:
  explicit Words(std::size_t count) {
    enable();
    const memory::Birth filled{.initialised = true};
    words_ = static_cast<int*>(memory::global_heap().allocate(count * sizeof(int), filled));
    forget_memory(words_, count * sizeof(int));
  }
  ~Words() { memory::global_heap().free(words_); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  const int* at(std::size_t index) const { return words_ + index; }

 private:
  int* words_;
};

/// The next of the program's operations.
std::uint64_t next_operation() {
  static std::uint64_t last = 0;
  return ++last;
}

/// Begin, access and end of a first launch (0, 1, 2) and of a second one (3, 4, 5), as far as they may be mixed.
std::vector<std::array<int, 6>> all_orders() {
  std::array<int, 6> steps{0, 1, 2, 3, 4, 5};
  std::vector<std::array<int, 6>> orders;
  do {
    const auto place = [&](int step) { return std::ranges::find(steps, step) - steps.begin(); };
    if (place(0) < place(1) && place(1) < place(2) && place(3) < place(4) && place(4) < place(5)) {
      orders.push_back(steps);
    }
  } while (std::ranges::next_permutation(steps).found);
  return orders;
}

}  // namespace

TEST_CASE("a write and a read by launches that nothing orders are a race, however the launches overlap",
          "[address-space]") {
  for (const std::array<int, 6>& steps : all_orders()) {
    std::string told;
    for (const int step : steps) told += std::to_string(step);
    INFO("steps " << told);
    const Words words(1);
    const std::uint64_t first = next_operation();
    const std::uint64_t second = next_operation();
    std::optional<OneThread> writer;
    std::optional<OneThread> reader;
    std::uint64_t races = 0;
    const auto end = [&](std::optional<OneThread>& launch) {
      races += launch->races();
      launch.reset();
    };
    for (const int step : steps) {
      switch (step) {
        case 0: writer.emplace(first, std::vector<std::uint64_t>{}); break;
        case 1: writer->write(words.at(0)); break;
        case 2: end(writer); break;
        case 3: reader.emplace(second, std::vector{first}); break;
        case 4: reader->read(words.at(0)); break;
        default: end(reader);
      }
    }
    CHECK(races == 1);
  }
}

TEST_CASE("a write and a read by launches one of which comes after the other are no race", "[address-space]") {
  const Words words(1);
  OneThread(next_operation(), {}).write(words.at(0));
  OneThread reader(next_operation(), {});
  reader.read(words.at(0));
  CHECK(reader.races() == 0);
}

TEST_CASE("of two launches that run at the same instant, one finds each word that both use", "[address-space]") {
  constexpr std::size_t kWords = 1 << 16;
  const Words words(kWords);
  const std::uint64_t first = next_operation();
  OneThread writer(first, {});
  OneThread reader(next_operation(), {first});
  std::thread other([&] {
    for (std::size_t i = 0; i < kWords; ++i) writer.write(words.at(i));
  });
  for (std::size_t i = 0; i < kWords; ++i) reader.read(words.at(i));
  other.join();
  CHECK(writer.races() + reader.races() == kWords);
}
