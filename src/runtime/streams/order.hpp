// SPDX-License-Identifier: Apache-2.0
// Which operations of the host program are ordered, by what the program says and not by when they happen to run: vector
// clocks over lines of work, one a stream, and the host. What the host knows to be over is over for all that it asks
// for from then on and is forgotten, so a program that synchronises has a short history, and one with a single stream
// none that costs anything. All threads of the host are taken as one, for what orders them among each other is not
// seen: an order may be missing in a program, and is then not reported, but none is reported that exists.
// Source of the rules of default streams: CUDA Runtime API, "Stream synchronization behavior".
// Not thread safe. Called by streams.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace warpfiber::runtime {

enum class LineKind {
  legacy,    // the default stream of a device
  blocking,  // waits for the legacy one and is waited for
  free,
};

/// A stream.
struct Line {
  std::uint64_t id = 0;  // from 1, never used again
  int device = 0;
  LineKind kind = LineKind::free;
};

/// Of `line`, all up to `number`.
struct Past {
  std::uint64_t line = 0;
  std::uint64_t number = 0;
};
using Pasts = std::vector<Past>;  // one a line, ascending

/// A place in a line of work, and all that is over when it is reached.
struct Moment {
  std::uint64_t line = 0;  // 0: the beginning of all
  std::uint64_t number = 0;
  std::shared_ptr<const Pasts> others{};  // null: nothing but the line's own past and what the host knew
};

/// Of `line`, all from `first` to `last`.
struct Stretch {
  std::uint64_t line = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Where an operation stands, and what stands beside it.
struct Placement {
  Moment moment{};
  std::vector<Stretch> unordered{};
};

class OperationOrder {
 public:
  /// Operations that were asked for longer ago than this many are taken as over.
  static constexpr std::uint64_t kRemembered = 4096;

  /// The program gives `line` an operation, which also waits for `after`.
  Placement submit(const Line& line, std::span<const Moment> after = {});

  /// The same for what only waits, or only marks a place.
  Moment mark(const Line& line, std::span<const Moment> after = {});

  /// The end of what the line has been given.
  Moment present(std::uint64_t line) const;
  /// The same for every line of the device.
  std::vector<Moment> presents(int device) const;

  /// The host has seen that the place is reached.
  void host_knows(const Moment& moment);

  /// What the host does itself now: one operation for as long as nothing else is asked for.
  Placement host();
  /// A launch of the host's own, which is over when the host goes on.
  Placement host_launch();

  /// The numbers of the operations in the stretches, ascending. The stretches are one placement's.
  std::vector<std::uint64_t> numbers_of(const std::vector<Stretch>& stretches) const;

  /// Lines of which the host does not know everything.
  std::size_t open_lines() const { return lines_.size(); }

 private:
  struct State {
    int device = 0;
    LineKind kind = LineKind::free;
    std::uint64_t last = 0;
    std::uint64_t last_operation = 0;
    std::uint64_t known = 0;              // by the host
    std::shared_ptr<const Pasts> others;  // null: none
  };

  std::uint64_t next(std::uint64_t line);
  State& enter(const Line& line, std::span<const Moment> after);
  void join(State& state, std::uint64_t own, std::span<const Moment> moments);
  bool is_news(const State& state, std::uint64_t own, const Past& past) const;
  std::vector<Stretch> beside(std::uint64_t line, const Pasts* past) const;

  std::map<std::uint64_t, State> lines_;
  std::uint64_t number_ = 0;
  std::uint64_t host_number_ = 0;
  std::array<std::uint64_t, kRemembered> line_of_{};  // of the latest operations, by number; 0: of none
};

}  // namespace warpfiber::runtime
