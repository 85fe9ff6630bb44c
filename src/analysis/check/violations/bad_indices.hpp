// SPDX-License-Identifier: Apache-2.0
// Indices outside the bounds of their arrays. The compiled code reports them (src/cuda/abi/hooks/bounds.cpp), with the
// type of the array and without an address, before the access that they are for. Which of the thread's next accesses
// that is cannot be known here: the line decides, once lines are known (process/findings/same_defect.hpp). Invariants:
// belongs to one launch and one worker.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/violations/violations.hpp"
#include "record/diagnosis.hpp"
#include "record/finding.hpp"

namespace warpfiber::check {

/// From a compiler's text of the array's type: "'float [33]'", "'Row' (aka 'float[33]')". Nothing where that is no
/// array with a bound, or has at most one element: such an array at the end of a structure stands for as many as there
/// are. `index` has `bits` bits.
std::optional<record::OutsideIndex> bad_index(std::string_view array_type, std::uint64_t index, unsigned bits,
                                              bool has_sign);

/// The index as its type shows it.
std::string number_of(const record::OutsideIndex& bad);
/// "The index 40 is outside float[33], 8 past its end."

/// Whether the object is that array, or consists of such arrays, and the index leads to the bytes that are accessed.
bool is_in_object(const record::OutsideIndex& bad, const MemoryPlace& place);

/// What is known of the indices at one site.
struct IndexSite {
  record::OutsideIndex bad{};    // the first
  std::vector<unsigned> next{};  // sites of accesses by the threads right after it
};

class BadIndices {
 public:
  /// The running thread has come to an index at `site`. Returns the site's record if it is new.
  IndexSite* begin(unsigned site, std::uint64_t thread);

  /// Whether the next access of a thread may be the one with the index.
  bool waits() const { return left_ != 0; }
  /// `thread` accesses memory at `site`. Returns the site of the bad index that this thread had last, else nothing.
  std::optional<unsigned> follow(unsigned site, std::uint64_t thread);

  bool none() const { return followers_.empty(); }
  /// Where the thread had a bad index shortly before its access; 0 where it had none.
  unsigned before(const Side& side) const {
    const auto found = followers_.find(key(side.thread, side.site));
    return found == followers_.end() ? 0 : found->second;
  }

  /// Fills in what the finding about the indices at a site says.
  void describe(unsigned site, record::Finding& made) const;
  /// An access outside of `place`, the nearest object, says why, if it was with the index at `site`; 0: none.
  void explain(unsigned site, const MemoryPlace& place, record::Finding& made) const;

  const IndexSite& at(unsigned site) const { return sites_.at(site); }

 private:
  static constexpr unsigned kNext = 4;  // accesses of a statement that may come before the one
  static constexpr std::size_t kMostFollowers = 1U << 16;
  static std::uint64_t key(std::uint64_t thread, unsigned site) { return thread << kSiteBits | site; }

  std::unordered_map<unsigned, IndexSite> sites_;
  std::unordered_map<std::uint64_t, unsigned> followers_;  // sites of indices, by thread and access
  std::uint64_t thread_ = 0;
  unsigned site_ = 0;
  unsigned left_ = 0;  // accesses that are still looked at
};

}  // namespace warpfiber::check
