// SPDX-License-Identifier: Apache-2.0
// Which operations of the host program are ordered, by what the program says and not by when they happen to run. Each
// stream has a vector clock, and so has the host. What the host has waited for happens before all that it asks for
// later, and is forgotten: a program that synchronises has a short history, and one with a single stream has none that
// costs anything. All threads of the host count as one, because nothing here sees what orders them among each other.
// So an order may be missing in a program without a report, but no report denies an order that exists.
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

namespace warpfiber::streams {

enum class StreamKind {
  legacy,    // the default stream of a device
  blocking,  // waits for the legacy one and is waited for
  free,
};

/// A stream, for the order of operations.
struct StreamId {
  std::uint64_t id = 0;  // from 1, never used again
  int device = 0;
  StreamKind kind = StreamKind::free;
};

/// One entry of a clock: of `stream`, all operations up to `number`.
struct StreamEpoch {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;
};
using StreamEpochs = std::vector<StreamEpoch>;  // one a stream, ascending

/// A position in a stream, and all that happened before it.
struct StreamClock {
  std::uint64_t stream = 0;  // 0: the beginning of all
  std::uint64_t number = 0;
  std::shared_ptr<const StreamEpochs> others{};  // null: nothing of other streams but what the host had waited for
};

/// Of `stream`, all operations from `first` to `last`.
struct OpRange {
  std::uint64_t stream = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Where an operation stands, and which others are concurrent with it.
struct OpOrder {
  StreamClock clock{};
  std::vector<OpRange> unordered{};
  std::uint64_t overlapped = 0;  // the operation before it in its stream, which may run at the same time; 0: none
};

struct OpKind {
  bool is_kernel = false;
  bool may_overlap = false;  // with a kernel that comes right before it
};

class OperationOrder {
 public:
  /// Operations that were asked for longer ago than this many are taken as over.
  static constexpr std::uint64_t kRemembered = 4096;

  /// The program gives `stream` an operation, which also waits for `after`.
  OpOrder submit(const StreamId& stream, std::span<const StreamClock> after = {}, OpKind kind = {});

  /// The same for what only waits, or only marks a place.
  StreamClock mark(const StreamId& stream, std::span<const StreamClock> after = {});

  /// The end of what the stream has been given.
  StreamClock present(std::uint64_t stream) const;
  /// The same for every stream of the device.
  std::vector<StreamClock> presents(int device) const;

  /// The host has seen that the position is reached: it acquires what happened before.
  void host_acquire(const StreamClock& clock);

  /// What the host does itself now: one operation for as long as nothing else is asked for.
  OpOrder host();
  /// A launch of the host's own, which is over when the host goes on.
  OpOrder host_launch();

  /// The numbers of the operations in the ranges, ascending. The ranges are those of one OpOrder.
  std::vector<std::uint64_t> numbers_of(const std::vector<OpRange>& ranges) const;

  /// Streams with operations that the host has not waited for.
  std::size_t open_streams() const { return streams_.size(); }

 private:
  struct State {
    int device = 0;
    StreamKind kind = StreamKind::free;
    std::uint64_t last = 0;
    std::uint64_t last_operation = 0;
    std::uint64_t last_kernel = 0;
    std::uint64_t known = 0;                     // by the host
    std::shared_ptr<const StreamEpochs> others;  // null: none
  };

  std::uint64_t next(std::uint64_t stream);
  State& enter(const StreamId& stream, std::span<const StreamClock> after);
  void join(State& state, std::uint64_t own, std::span<const StreamClock> clocks);
  bool is_news(const State& state, std::uint64_t own, const StreamEpoch& epoch) const;
  std::vector<OpRange> concurrent_with(std::uint64_t stream, const StreamEpochs* others) const;

  std::map<std::uint64_t, State> streams_;
  std::uint64_t number_ = 0;
  std::uint64_t host_number_ = 0;
  std::array<std::uint64_t, kRemembered> stream_of_{};  // of the latest operations, by number; 0: of none
};

}  // namespace warpfiber::streams
