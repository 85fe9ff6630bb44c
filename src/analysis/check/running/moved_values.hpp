// SPDX-License-Identifier: Apache-2.0
// Global memory to which threads have moved unwritten values: such memory counts as unwritten (objects/unwritten.hpp),
// and here is which load each value came from. What has been written since may still be listed. One register for the
// process, because such values outlive launches. Any thread may call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "check/objects/unwritten.hpp"
#include "check/running/launches.hpp"
#include "check/violations/violations.hpp"
#include "record/finding.hpp"

namespace warpfiber::check {

/// A load of uninitialised memory, and its launch.
struct MovedFrom {
  Side load{};
  std::shared_ptr<const BegunLaunch> launch{};
};

class MovedValues {
 public:
  /// The value that `from` has loaded is in these bytes now. False: there is no room to remember that.
  bool add(const char* to, std::size_t bytes, const MovedFrom& from);
  /// Others come to be there.
  void remove(const char* from, std::size_t bytes);
  /// A copy takes what is there along, to bytes about which nothing is listed.
  void copy(const char* to, const char* from, std::size_t bytes);
  /// Where the first of those came from that lie in these bytes; none where none does.
  std::optional<MovedFrom> find(const char* from, std::size_t bytes) const;
  /// Calls visit() for parts of the stretch, ascending, with where those came from; with null for the rest.
  void split(const Stretch& stretch, const std::function<void(const Stretch&, const MovedFrom*)>& visit) const;
  /// Removes what the launch has moved by the load at `site`, and returns where that was.
  std::vector<Stretch> take(const BegunLaunch* launch, unsigned site);

 private:
  static constexpr std::size_t kMost = 65536;

  /// Values of one size, side by side, that threads whose numbers are equally far apart have loaded at one place.
  struct Series {
    std::size_t bytes = 0;
    std::size_t count = 1;
    MovedFrom first{};
    std::uint64_t step = 0;  // between two threads; modulo 2^64

    std::size_t extent() const { return bytes * count; }
    MovedFrom at(std::size_t number) const;
    Series from(std::size_t number, std::size_t size) const;
    bool goes_on_with(std::size_t size, const MovedFrom& next) const;
  };
  using Places = std::map<const char*, Series>;

  template <class Places_>
  static auto first_at(Places_& places, const char* from);
  void cut(const char* from, std::size_t bytes) WARPFIBER_REQUIRES(mutex_);

  std::atomic<bool> any_{false};
  mutable base::Mutex mutex_;
  Places places_ WARPFIBER_GUARDED_BY(mutex_);
};

MovedValues& moved_values();

/// The load, as a party to what is wrong where the value matters.
record::Party party_of(const MovedFrom& moved);

}  // namespace warpfiber::check
