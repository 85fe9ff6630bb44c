// SPDX-License-Identifier: Apache-2.0
//
// Asks the shadow cells which bytes of a copy nobody has written (check/objects/unwritten.hpp), and decides whether
// they are more than padding. Rows that a launch was too small for are found by unwritten_rows.hpp.
#include "runtime/checking/unwritten_copies.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "check/objects/unwritten.hpp"
#include "check/running/moved_values.hpp"
#include "launches/checking/conflicts.hpp"
#include "launches/checking/unwritten_rows.hpp"
#include "memory/objects.hpp"
#include "process/findings/findings_log.hpp"
#include "process/settings/launching.hpp"
#include "record/diagnosis.hpp"
#include "record/finding.hpp"
#include "report/operations.hpp"
#include "runtime/state/runtime_state.hpp"

namespace warpfiber::runtime {
namespace {

/// Whether a copy puts its bytes where it is known of each whether it was written.
bool stays_in_sight(const device_memory::Transfer& transfer) {
  const auto object = memory::object_at(transfer.to.at);
  return object.has_value() && object->kind == memory::ObjectKind::global && !object->initialised;
}

/// What nothing orders before the copy may write the bytes yet: that is a race, which is reported as such.
bool is_settled(const device_memory::Transfer& transfer, const record::LaunchOrder& order) {
  return transfer.from.at != nullptr && order.unordered.empty();
}

/// The rows of a box, or all of them as one where they have no gaps.
template <class Visit>
void for_each_stretch(const process::CopyPlace& place, const process::Box& box, Visit&& visit) {
  const bool dense =
      box.single_row() || (place.pitch == box.width && (box.depth == 1 || place.slice == box.width * box.height));
  if (dense) return visit(place.at, box.bytes());
  box.for_each_row([&](std::size_t y, std::size_t z) { visit(place.row(y, z), box.width); });
}

/// What a copy reads that nobody has written.
struct Unwritten {
  std::size_t bytes = 0;
  check::Stretch longest{};
  std::size_t second = 0;  // bytes of the longest stretch but this one
  check::Stretch first{};
  launches::RowGaps gaps{};
  std::uint64_t common = 0;  // bytes that the lengths and the places of all of them are multiples of

  void add(const check::Stretch& stretch) {
    if (bytes == 0) first = stretch;
    common = std::gcd(common, std::gcd(stretch.bytes, static_cast<std::uint64_t>(stretch.from - first.from)));
    gaps.add(stretch);
    bytes += stretch.bytes;
    if (stretch.bytes > longest.bytes) {
      second = std::exchange(longest, stretch).bytes;
    } else {
      second = std::max(second, stretch.bytes);
    }
  }

  /// Whether it is more than a layout leaves out: padding is shorter than the alignment, which divides the size of what
  /// is copied, and comes again in every element, as gaps do in every row.
  bool is_one_piece(std::size_t copied) const {
    constexpr std::size_t kLargestAlignment = 128;
    const std::size_t alignment = std::min(kLargestAlignment, copied & (~copied + 1));
    return longest.bytes >= alignment && longest.bytes > second && longest.bytes >= bytes - longest.bytes;
  }

  /// Whether it consists of elements like that one, which is no member of a structure.
  bool is_elements_like(const process::SharedStore& store) const {
    const bool is_element = store.name.ends_with(']') && store.name.find("].") == std::string::npos;
    return is_element && store.bytes != 0 && common % store.bytes == 0;
  }
};

/// An element of the array that is copied, of which several threads wrote some and none wrote others; else empty.
std::string element_of_several(const Unwritten& found, const process::CopyPlace& from, const process::Box& box) {
  std::string name;
  for_each_stretch(from, box, [&](const char* at, std::size_t bytes) {
    const auto store = name.empty() ? process::shared_store_in(at, bytes) : std::nullopt;
    if (store.has_value() && found.is_elements_like(*store)) name = store->name;
  });
  return name;
}

/// The launch whose threads were too few for the rows, if that is what the gaps look like.
std::optional<launches::LaunchExtents::Extent> cutting_launch(const Unwritten& found) {
  if (!found.gaps.are_regular()) return std::nullopt;
  return launches::launch_extents().cut_at(found.gaps.written(), found.gaps.pitch());
}

record::Party copying(const record::OperationFacts& operation) {
  record::Party party;
  party.role = record::Role::read;
  party.who.unit = record::Unit::host;
  party.who.count = 1;
  if (operation.returns_to != nullptr) party.place.instruction = static_cast<const char*>(operation.returns_to) - 1;
  party.what = report::operation_text(operation);
  return party;
}

record::Finding finding_of(const Unwritten& found, const record::UnwrittenCopy& copy,
                           const record::OperationFacts& operation) {
  record::Finding made;
  made.verdict = record::Verdict::uninit_global;
  made.object = launches::object_of(found.longest.from, found.longest.bytes);
  made.parties.push_back(copying(operation));
  if (found.bytes != copy.copied) made.severity = record::Severity::warning;
  made.diagnosis = copy;
  return made;
}

record::Finding finding_of_rows(const Unwritten& found, const launches::LaunchExtents::Extent& cut, std::size_t copied,
                                const record::OperationFacts& operation) {
  const launches::RowGaps& gaps = found.gaps;
  record::Finding made;
  made.verdict = record::Verdict::uninit_global;
  made.severity = record::Severity::warning;
  made.object = launches::object_of(found.first.from, found.first.bytes);
  made.parties.push_back(copying(operation));
  made.diagnosis = record::UnwrittenRows{.copied = copied,
                                         .unwritten = found.bytes,
                                         .bytes = gaps.bytes(),
                                         .rows = gaps.rows(),
                                         .pitch = gaps.pitch(),
                                         .kernel = cut.kernel,
                                         .axis = cut.axis,
                                         .threads = cut.threads};
  return made;
}

/// What a copy reads that threads have moved there from memory which nobody had written: one for each load.
struct MovedBytes {
  check::Stretch first{};
  check::MovedFrom from{};
};

void add_moved(std::vector<MovedBytes>& all, const check::Stretch& part, const check::MovedFrom& from) {
  constexpr std::size_t kMost = 8;
  const auto is_same = [&from](const MovedBytes& one) {
    return one.from.load.site == from.load.site && one.from.launch == from.launch;
  };
  const auto known = std::ranges::find_if(all, is_same);
  if (known == all.end()) {
    if (all.size() < kMost) all.push_back({part, from});
  } else if (known->first.from + known->first.bytes == part.from) {
    known->first.bytes += part.bytes;
  }
}

record::Finding finding_of_moved(const MovedBytes& moved, const record::OperationFacts& operation) {
  record::Finding made;
  made.verdict = record::Verdict::uninit_global;
  made.object = launches::object_of(moved.first.from, moved.first.bytes);
  made.parties = {check::party_of(moved.from), copying(operation)};
  made.diagnosis = record::Mistake::unwritten_value_used;
  return made;
}

}  // namespace

void report_unwritten(const device_memory::Transfer& transfer, const record::LaunchOrder& order) {
  if (!is_settled(transfer, order) || stays_in_sight(transfer)) return;
  // A launch that was refused or made smaller has not written its results.
  if (RuntimeState::of_process().call_was_refused.load(std::memory_order_relaxed) ||
      process::launch_settings().most_blocks != 0 || process::launch_settings().most_threads != 0)
    return;
  Unwritten found;
  std::vector<MovedBytes> moved;
  const auto add_part = [&](const check::Stretch& part, const check::MovedFrom* from) {
    from == nullptr ? found.add(part) : add_moved(moved, part, *from);
  };
  const auto add = [&](const check::Stretch& stretch) { check::moved_values().split(stretch, add_part); };
  for_each_stretch(transfer.from, transfer.box,
                   [&add](const char* at, std::size_t bytes) { check::for_each_unwritten(at, bytes, add); });
  for (const MovedBytes& one : moved) process::log_finding(finding_of_moved(one, transfer.operation));
  const std::size_t copied = transfer.box.bytes();
  // What a library reads it computes with: it leaves no padding between.
  const bool computes = transfer.to.at == nullptr;
  if (found.bytes == copied || (found.bytes != 0 && (computes || found.is_one_piece(copied)))) {
    process::log_finding(finding_of(found, {copied, found.bytes, computes, {}}, transfer.operation));
  } else if (found.bytes == 0) {
    return;
  } else if (const std::string element = element_of_several(found, transfer.from, transfer.box); !element.empty()) {
    process::log_finding(finding_of(found, {copied, found.bytes, false, element}, transfer.operation));
  } else if (const auto cut = cutting_launch(found)) {
    process::log_finding(finding_of_rows(found, *cut, copied, transfer.operation));
  }
}

std::vector<check::Stretch> unwritten_after(const device_memory::Transfer& transfer, const record::LaunchOrder& order) {
  constexpr std::size_t kMost = 4096;
  std::vector<check::Stretch> found;
  if (!is_settled(transfer, order) || !stays_in_sight(transfer)) return found;
  const process::Box& box = transfer.box;
  box.for_each_row([&](std::size_t y, std::size_t z) {
    const char* from = transfer.from.row(y, z);
    const char* to = transfer.to.row(y, z);
    check::for_each_unwritten(from, box.width, [&](const check::Stretch& stretch) {
      if (found.size() < kMost) found.push_back({to + (stretch.from - from), stretch.bytes});
    });
  });
  return found;
}

void expect_unwritten() {
  RuntimeState::of_process().call_was_refused.store(true, std::memory_order_relaxed);
}

}  // namespace warpfiber::runtime
