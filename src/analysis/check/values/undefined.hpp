// SPDX-License-Identifier: Apache-2.0
// Values that a shuffle brings from lanes outside its mask: undefined, and no defect where nobody uses them. A thread
// gets a number in their place that no program computes by chance: a NaN, which stays one, or an integer. What it
// offers next may be made of that integer and of what it had before; then whoever takes it has such a number, too. What
// it stores next may be made of it by a small number, too: a constant or an index. Only
// who stores one has used it, or takes it for an index, which then leads far away: in sums over a part of a warp some
// lanes always add what nobody asks for. Other uses (a comparison) go unseen. Belongs to one worker.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpfiber::check {

/// What a value is, as checked.hpp numbers it.
enum class ValueKind : unsigned { other, int32, int64, float32, float64 };

/// A thread that calls a shuffle. Both numbers are of the launch.
struct ShuffleCaller {
  std::uint64_t thread = 0;
  std::uint64_t warp = 0;
};

/// What it came with.
struct Operand {
  ValueKind kind{};
  std::uint64_t bits = 0;
};

class UndefinedValues {
 public:
  bool none() const { return count_ == 0; }

  /// The bits of a number for a thread that came to the call at `site`.
  std::uint64_t give(const ShuffleCaller& caller, unsigned site, const Operand& operand);
  /// A thread comes to a shuffle, and gets this.
  void offer(const ShuffleCaller& caller, const Operand& operand);
  void receive(const ShuffleCaller& caller, const Operand& operand, std::uint64_t value);
  /// The site of the call whose number the thread has made what it has stored of, where `before` was. Reported once for
  /// each number.
  std::optional<unsigned> stored(std::uint64_t thread, const void* at, std::size_t bytes, std::uint64_t before);
  /// The site of the call whose number leads to `address`, as an index of elements from where `is_object` says that
  /// something is.
  std::optional<unsigned> index_of(std::uint64_t thread, const char* address,
                                   const std::function<bool(const char*)>& is_object) const;
  /// These threads have ended.
  void forget(std::uint64_t first, std::uint64_t last);

 private:
  static constexpr std::size_t kMostOfThread = 16;  // the latest
  static constexpr std::size_t kMostOffered = 128;  // by lanes of a warp

  struct Given {
    unsigned site = 0;
    ValueKind kind{};
    std::uint64_t number = 0;
    std::uint64_t operand = 0;
    unsigned stores = 0;  // by the thread since then
  };
  struct Offered {
    unsigned site = 0;
    std::uint64_t bits = 0;
  };
  struct OfWarp {
    std::array<Offered, kMostOffered> values{};
    std::size_t count = 0;
  };

  void add(std::uint64_t thread, const Given& given);
  bool is_stored(const Given& given, std::uint64_t value, std::uint64_t before);
  std::optional<unsigned> stored_nan(const void* at, std::size_t bytes) const;
  std::uint64_t slot_for(unsigned site);
  const Offered* find(std::uint64_t warp, std::uint64_t bits) const;

  std::unordered_map<std::uint64_t, std::vector<Given>> given_;  // by thread
  std::unordered_map<std::uint64_t, OfWarp> offered_;            // made of such numbers
  std::vector<unsigned> sites_;                                  // of calls that have given NaNs
  std::uint64_t count_ = 0;                                      // numbers given
  std::uint64_t near_ = 0;                                       // stores of values that are near one
};

}  // namespace warpfiber::check
