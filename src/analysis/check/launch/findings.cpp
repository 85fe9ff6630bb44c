// SPDX-License-Identifier: Apache-2.0
// From violations to findings: the facts of each violation, and which of them are reported.
#include "check/launch/findings.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "check/calls/places.hpp"
#include "check/launch/related_violations.hpp"
#include "check/objects/named_memory.hpp"
#include "check/objects/objects.hpp"
#include "check/objects/reachable_memory.hpp"
#include "check/running/launches.hpp"
#include "check/values/values.hpp"
#include "check/violations/bad_indices.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {
namespace {

using record::Finding;
using record::Mistake;
using record::Party;
using record::Role;
using record::Verdict;

/// What depends on nothing but the kind.
struct KindRow {
  ViolationKind kind;
  Verdict verdict;
  Mistake mistake;
  record::Severity severity;
};

constexpr KindRow kKinds[] = {
#define WARPFIBER_VIOLATION(name, verdict, mistake, severity) \
  {ViolationKind::name, Verdict::verdict, Mistake::mistake, record::Severity::severity},
#define WARPFIBER_VIOLATION_IN_CONTEXT(name)
#include "check/violations/kinds.inc"
#include "record/diagnosis.hpp"
};

/// Of two accesses that are volatile or atomic: the space decides the verdict, and without a mistake the order.
struct StrongRow {
  ViolationKind kind;
  Mistake mistake{};
};

constexpr StrongRow kStrong[] = {
    {ViolationKind::lock_step, Mistake::relies_on_lock_step},
    {ViolationKind::needs_lock_step, Mistake::written_for_lock_step},
    {ViolationKind::overwritten, Mistake::volatile_store_overwrites},
    {ViolationKind::widths_differ, Mistake::atomics_of_two_widths},
    {ViolationKind::unlocked, Mistake::volatile_store_without_lock},
};

bool is_of_strong(ViolationKind kind) {
  return kind == ViolationKind::lost_update || kind == ViolationKind::unfenced ||
         std::ranges::find(kStrong, kind, &StrongRow::kind) != std::end(kStrong);
}

const KindRow* row_of(ViolationKind kind) {
  const auto* const found = std::ranges::find(kKinds, kind, &KindRow::kind);
  return found == std::end(kKinds) ? nullptr : found;
}

template <class T>
T by_space(Space space, T global, T shared, T peer) {
  return space == Space::shared ? shared : space == Space::peer_shared ? peer : global;
}

record::OutsideAccess outside_access(const Violation& outside, const NamedMemory& named) {
  const MemoryPlace& place = outside.place;
  const auto offset = static_cast<std::int64_t>(place.offset);
  const auto up = static_cast<const char*>(outside.highest) - static_cast<const char*>(outside.address);
  return {.name = named.object,
          .type = place.type,
          .offset = offset,
          .highest = offset + up,
          .extent = place.extent,
          .size = outside.size,
          .element = named.element,
          .dynamic_shared = place.dynamic,
          .global = place.space == Space::global};
}

/// Whether the lane that a shuffle takes from is in its mask, and has returned.
bool is_of_returned_lane(const Violation& one) {
  const bool shuffle = one.kind == ViolationKind::foreign_lane || one.kind == ViolationKind::foreign_used ||
                       one.kind == ViolationKind::foreign_neighbour;
  return shuffle && (one.mask >> one.value & 1) != 0;
}

/// Makes the finding of one violation.
class Maker {
 public:
  Maker(const Violation& of, const LaunchChecker& checker, const record::LaunchFacts& launch)
      : of_(of), checker_(checker), launch_(launch), named_(named()) {}

  Finding make() const {
    Finding made;
    made.launch = launch_;
    made.repeats = of_.repeats;
    if (of_.place.space != Space::none) made.object = object(named_);
    if (of_.two_sides) made.parties.push_back(party(of_.earlier, true));
    made.parties.push_back(party(of_.now, false));
    if (const KindRow* row = row_of(of_.kind)) {
      made.verdict = row->verdict;
      made.diagnosis = row->mistake;
      made.severity = row->severity;
    } else if (of_.kind == ViolationKind::local_of_ended) {
      made.verdict = Verdict::local_escape;
      made.diagnosis = record::EndedLocal{named_.function, of_.value == 0 ? std::string() : function_at(of_.value)};
    } else if (of_.kind == ViolationKind::race) {
      explain_race(made);
    } else if (is_of_strong(of_.kind)) {
      explain_strong(made);
    } else if (of_.kind == ViolationKind::outside) {
      explain_outside(made);
    } else if (of_.kind == ViolationKind::index) {
      checker_.log().bad_indices().describe(of_.now.site, made);
    } else {
      explain_uninitialised(made);
    }
    if (of_.kind == ViolationKind::same_value && !checker_.is_strict()) made.severity = record::Severity::info;
    if (of_.kind == ViolationKind::unmapped) explain_unmapped(made);
    if (of_.kind == ViolationKind::freed) add_free(made);
    if (of_.kind == ViolationKind::host_memory) add_host_memory(made);
    if (is_of_returned_lane(of_)) explain_returned(made);
    const bool is_far = of_.kind == ViolationKind::host_memory && of_.place.name.empty();
    if (of_.kind == ViolationKind::outside || is_far)
      checker_.log().bad_indices().explain(of_.index_site, of_.place, made);
    made.after_bad_index = of_.index_site != 0;
    if (of_.kind == ViolationKind::outside || of_.kind == ViolationKind::unmapped || is_far) made.indexed = indexed();
    return made;
  }

  /// Whether it is about padding, which compilers copy with a structure.
  bool is_of_padding() const { return named_.part.is_padding; }

  /// The parties of a violation that is the same defect as the finding's.
  void add_to(Finding& made) const {
    constexpr std::size_t kMost = 8;
    for (const bool earlier : {true, false}) {
      if (earlier && !of_.two_sides) continue;
      Party other = party(earlier ? of_.earlier : of_.now, earlier);
      const auto is_same = [&other](const Party& one) { return one.role == other.role && one.place == other.place; };
      const bool folds = of_.kind == ViolationKind::async_destination || of_.kind == ViolationKind::needs_lock_step;
      const bool known = folds && std::ranges::any_of(made.parties, is_same);
      if (!known && made.parties.size() < kMost) made.parties.push_back(std::move(other));
    }
  }

 private:
  /// The access as one to each of the objects that the kernel has names for.
  std::vector<record::IndexedObject> indexed() const {
    constexpr std::size_t kMost = 64;
    std::vector<record::IndexedObject> made;
    const std::vector<std::uintptr_t> code = code_of(of_.now.site);
    const NamingContext naming{checker_.bounds().reachable(), code};
    for (const MemoryPlace& place : named_places(of_, checker_.bounds().reachable())) {
      if (made.size() == kMost) break;
      Violation other = of_;
      other.place = place;
      const Maker maker(other, checker_, launch_);
      for (const NamedMemory& named : names_of_memory(place, of_.address, of_.size, naming)) {
        if (named.name.empty() || made.size() == kMost) continue;
        made.push_back({.name = named.name,
                        .verdict = by_space(place.space, Verdict::oob_global, Verdict::oob_shared, Verdict::oob_dsmem),
                        .object = maker.object(named),
                        .access = outside_access(other, named)});
      }
    }
    return made;
  }

  record::ObjectFacts object(const NamedMemory& named) const {
    record::ObjectFacts object;
    const MemoryPlace& place = of_.place;
    object.name = named.name;
    object.is_allocated = named.is_allocated;
    object.type = named.type;
    object.space = space_text(place);
    object.address = reinterpret_cast<std::uintptr_t>(of_.address);
    if (place.extent != 0) object.bytes = record::Bytes{place.offset, of_.size, place.extent};
    object.declared = named.declared;
    return object;
  }

  Party party(const Side& side, bool earlier) const {
    Party party;
    party.role = side.write ? Role::write : Role::read;
    const bool is_known = earlier && of_.earlier_launch != nullptr;
    const BegunLaunch shape = is_known ? *of_.earlier_launch : launch_shape(side.launch);
    party.who = member_of(side.thread, shape);
    put_site(side.site, party);
    if (of_.mask != 0) {
      party.role = Role::call;
      party.detail = mask_detail(earlier);
    } else if (of_.kind == ViolationKind::index) {
      if (of_.place.space == Space::none) party.role = Role::access;
      party.detail = of_.detail;
    } else if (!of_.detail.empty()) {
      party.role = of_.kind == ViolationKind::conversion                                          ? Role::convert
                   : of_.kind == ViolationKind::odd_bool || of_.kind == ViolationKind::one_memory ? Role::read
                                                                                                  : Role::call;
      party.detail = of_.detail;
    }
    party.what = of_.kind == ViolationKind::masks_differ      ? "collective"
                 : of_.kind == ViolationKind::active_lanes    ? "collective"
                 : of_.kind == ViolationKind::conversion      ? "conversion"
                 : of_.kind == ViolationKind::rank_beyond     ? "tile.shfl()"
                 : of_.kind == ViolationKind::aligned_by_luck ? "asynchronous copy"
                 : of_.mask != 0                              ? "shuffle"
                 : side.strong                                ? "atomic or volatile access"
                 : side.write                                 ? "store"
                                                              : "load";
    party.strong = side.strong;
    if (of_.two_sides && of_.earlier.launch != of_.now.launch) {
      party.kernel = shape.kernel;
      party.launched.instruction = last_byte_of_call(shape.launched);
    } else if (!earlier && shape.launched != nullptr) {
      // Shown where a library of CUDA code has all of the lines (report/locate.cpp).
      party.launched.instruction = last_byte_of_call(shape.launched);
    }
    if (side.has_value) {
      party.object.emplace();
      party.object->value = value_of(side);
    }
    return party;
  }

  NamedMemory named() const {
    if (of_.place.space == Space::local) return named_local(of_.frames, of_.size);
    std::vector<std::uintptr_t> code = code_of(of_.now.site);
    if (of_.two_sides) std::ranges::copy(code_of(of_.earlier.site), std::back_inserter(code));
    return named_memory(of_.place, of_.address, of_.size, {checker_.bounds().reachable(), code});
  }

  std::string value_of(const Side& side) const {
    // An access by another type may be wider than what is declared there.
    const bool is_within = named_.part.number != nullptr && named_.part.offset + of_.size <= named_.part.number->bytes;
    if (!is_within) return value_text(of_.address, of_.size, of_.place.type, side.around);
    return value_text(static_cast<const char*>(of_.address) - named_.part.offset, *named_.part.number, side.around);
  }

  std::string mask_detail(bool earlier) const {
    const std::uint64_t mask = earlier ? of_.value : of_.mask;
    const std::string text = "with mask " + base::mask_text(mask, launch_.warp_size);
    if (of_.kind == ViolationKind::active_lanes)
      return text + " of __activemask() at line " + std::to_string(of_.value);
    return of_.kind == ViolationKind::masks_differ ? text : "from lane " + std::to_string(of_.value) + " " + text;
  }

  Verdict verdict_of_race() const {
    if (of_.place.space == Space::global) return Verdict::race_global;
    const ThreadNumbering& numbering = checker_.numbering();
    const bool same_block = numbering.block_of(of_.earlier.thread) == numbering.block_of(of_.now.thread);
    return same_block ? Verdict::race_shared : Verdict::race_dsmem;
  }

  void explain_race(Finding& made) const {
    const bool same_launch = of_.earlier.launch == of_.now.launch;
    made.verdict = verdict_of_race();
    if (!same_launch) {
      explain_launches(made);
    } else if (of_.earlier.strong && of_.now.strong) {
      made.diagnosis = Mistake::atomic_scope_too_small;
    } else {
      explain_order(made);
    }
  }

  void explain_order(Finding& made) const {
    made.order = checker_.sync().missing_order(of_);
    if (made.order->hand_over.has_value()) made.order->hand_over->name = name_of_hand_over();
  }

  /// What a kernel calls an allocation its line says better.
  std::string name_of_hand_over() const {
    const MemoryPlace& place = of_.hand_over_place;
    if (place.name.empty()) return {};
    const std::vector<std::uintptr_t> code = code_of(of_.hand_over->set_site);
    const NamedMemory word = named_memory(place, of_.hand_over->word, 1, {checker_.bounds().reachable(), code});
    return place.dynamic && word.part.text.empty() ? std::string() : word.name;
  }

  void explain_launches(Finding& made) const {
    BegunLaunch first = launch_shape(of_.earlier.launch);
    BegunLaunch second = launch_shape(of_.now.launch);
    if (second.operation < first.operation) std::swap(first, second);  // in the order of the program
    if (first.stream != 0 && second.stream != 0) made.streams = record::StreamPair::of(first.stream, second.stream);
    const bool in_vain = second.vain_wait.was_for(first.stream);
    const bool overlap = first.operation != 0 && second.overlapped == first.operation;
    made.diagnosis = record::UnorderedLaunches{first.kernel, second.kernel, in_vain && !overlap, overlap};
    if (in_vain && !overlap) made.parties.push_back(party_of(second.vain_wait));
  }

  /// Both accesses are volatile or atomic.
  void explain_strong(Finding& made) const {
    made.verdict = verdict_of_race();
    if (of_.kind == ViolationKind::unfenced || of_.kind == ViolationKind::lost_update) {
      explain_order(made);
      made.order->one_atomic = false;
      made.order->lost_update = of_.kind == ViolationKind::lost_update;
    } else {
      made.diagnosis = std::ranges::find(kStrong, of_.kind, &StrongRow::kind)->mistake;
    }
    if (of_.kind == ViolationKind::lock_step) made.severity = record::Severity::warning;
  }

  void explain_outside(Finding& made) const {
    made.verdict = by_space(of_.place.space, Verdict::oob_global, Verdict::oob_shared, Verdict::oob_dsmem);
    made.diagnosis = outside_access(of_, named_);
  }

  void explain_unmapped(Finding& made) const {
    const record::NearAddress near = near_address(of_.address);
    made.diagnosis = record::AddressInaccessible{near};
    const std::string address = base::address_text(of_.address);
    made.parties.back().what = "access to " + address;
    made.parties.back().detail = "address " + address;
    if (near.allocation == 0) return;
    const std::vector<std::uintptr_t> code = code_of(of_.now.site);
    made.object =
        facts_near(of_.address, reinterpret_cast<const void*>(near.allocation), {checker_.bounds().reachable(), code});
  }

  /// The name of a variable of the host, or the launch that was given the address.
  void add_host_memory(Finding& made) const {
    if (!of_.place.name.empty()) {
      made.diagnosis = record::HostVariable{of_.place.name};
      return;
    }
    add_launch(made);
  }

  /// The line that launches the kernel.
  void add_launch(Finding& made) const {
    const record::LaunchOrder& order = checker_.identity().order();
    const bool is_there = std::ranges::any_of(made.parties, [](const Party& party) {
      return party.who.unit == record::Unit::host && party.detail == "launches the kernel";
    });
    if (order.returns_to == nullptr || is_there) return;
    Party launch;
    launch.role = Role::call;
    launch.who.unit = record::Unit::host;
    launch.who.count = 1;
    launch.place.instruction = last_byte_of_call(order.returns_to);
    launch.what = launch_.kernel + "<<<>>>";
    launch.detail = "launches the kernel";
    made.parties.push_back(std::move(launch));
  }

  static void explain_returned(Finding& made) {
    made.severity = record::Severity::warning;
    made.diagnosis = Mistake::shuffle_from_returned_lane;
  }

  void explain_uninitialised(Finding& made) const {
    const bool global = of_.place.space == Space::global;
    made.verdict = by_space(of_.place.space, Verdict::uninit_global, Verdict::uninit_shared, Verdict::uninit_shared);
    if (of_.kind == ViolationKind::moved) {
      made.severity = record::Severity::warning;
      made.diagnosis = Mistake::unwritten_value_moved;
      return;
    }
    if (of_.two_sides) {
      made.diagnosis = Mistake::unwritten_value_used;
      return;
    }
    made.diagnosis = global ? Mistake::global_never_written : Mistake::shared_never_written;
  }

  void add_free(Finding& made) const {
    if (of_.place.freed_by == nullptr) return;
    Party freed;
    freed.role = Role::call;
    freed.what = "cudaFree()";
    freed.who.unit = record::Unit::host;
    freed.who.count = 1;
    freed.place.instruction = last_byte_of_call(of_.place.freed_by);
    if (made.object.has_value()) made.object->freed = freed.place;
    made.parties.push_back(freed);
  }

  const Violation& of_;
  const LaunchChecker& checker_;
  const record::LaunchFacts& launch_;
  NamedMemory named_;
};

}  // namespace

const Violation* ending_violation(const LaunchChecker& checker) {
  const Violation* refused = checker.refused();
  if (refused == nullptr) return nullptr;
  const Violation* written = explaining_write(checker.log().violations().all(), *refused);
  return written != nullptr && written->address == refused->address ? written : refused;
}

const Violation* failing_violation(const LaunchChecker& checker) {
  const std::vector<Violation>& all = checker.log().violations().all();
  const auto failing = std::ranges::find_if(all, [](const Violation& one) { return one.fails && !one.is_explained; });
  if (failing == all.end()) return nullptr;
  const Violation* written = explaining_write(all, *failing);
  return written == nullptr ? &*failing : written;
}

Finding finding_of(const Violation& one, const LaunchChecker& checker, const record::LaunchFacts& launch) {
  return Maker(one, checker, launch).make();
}

namespace {

bool is_of_unwritten(ViolationKind kind) {
  return kind == ViolationKind::uninitialised || kind == ViolationKind::moved;
}

}  // namespace

std::optional<Party> early_read(const LaunchChecker& checker, const record::LaunchFacts& launch) {
  const std::vector<Violation>& all = checker.log().violations().all();
  const auto early = std::ranges::find_if(all, [](const Violation& one) {
    const bool mixed = one.kind == ViolationKind::race && one.earlier.write != one.now.write;
    return mixed || is_of_unwritten(one.kind);
  });
  if (early == all.end()) return std::nullopt;
  const bool written = early->kind == ViolationKind::race;
  Party party = Maker(*early, checker, launch).make().parties.at(written && early->earlier.write ? 1 : 0);
  party.note = written ? record::FixedNote::reads_without_order : record::FixedNote::reads_before_write;
  return party;
}

namespace {

/// What is missing for one pair is missing for all that are folded with it.
void fold_order(record::MissingOrder& order, const record::MissingOrder& other) {
  order.width = std::max(order.width, other.width);
  order.both_write = order.both_write || other.both_write;
  if (!order.hand_over.has_value()) order.hand_over = other.hand_over;
}

/// Whether what the instruction has loaded is reported where it is used.
bool is_used(const std::vector<Violation>& all, const Violation& moved) {
  return std::ranges::any_of(all, [&moved](const Violation& one) {
    const unsigned loaded = one.two_sides ? one.earlier.site : one.now.site;
    return one.kind == ViolationKind::uninitialised && loaded == moved.now.site;
  });
}

/// Whether threads that the end of the launch has cut short might have written in time. None is ordered before a read
/// that has been; but who waits for a value plainly may be in a race with its writer.
bool may_be_missing(const Violation& uninitialised, Cut cut) {
  return cut == Cut::misused || (cut == Cut::hung && !uninitialised.now.strong);
}

}  // namespace

Cut cut_by(const Finding& finding) {
  constexpr Verdict kHung[] = {Verdict::deadlock, Verdict::livelock};
  constexpr Verdict kMisused[] = {Verdict::async_hazard, Verdict::bad_mask, Verdict::barrier_divergence,
                                  Verdict::cg_misuse};
  if (std::ranges::find(kHung, finding.verdict) != std::end(kHung)) return Cut::hung;
  return std::ranges::find(kMisused, finding.verdict) != std::end(kMisused) ? Cut::misused : Cut::stopped;
}

std::vector<Finding> findings_of(const LaunchChecker& checker, const record::LaunchFacts& launch, Cut cut,
                                 const Violation* ending) {
  std::vector<Finding> made;
  const std::vector<Violation>& all = checker.log().violations().all();
  const std::uint64_t threads = base::volume(launch.grid) * base::volume(launch.block);
  std::vector<const Violation*> firsts;
  for (const Violation& one : all) firsts.push_back(&first_of_defect(all, one, checker));
  for (const Violation& one : all) {
    if (&one == ending || one.is_explained || explaining_write(all, one) != nullptr) continue;
    // Where the value came from has been reported.
    if (one.kind == ViolationKind::moved && (one.two_sides || is_used(all, one))) continue;
    if (is_of_unwritten(one.kind) && (may_be_missing(one, cut) || is_explained(all, one))) continue;
    if (one.kind == ViolationKind::race && (is_part_of_copy_hazard(all, one) || follows_from_outside(all, one)))
      continue;
    if (one.kind == ViolationKind::race && is_part_of_overrun(all, one, threads)) continue;
    if (one.kind == ViolationKind::same_value && is_part_of_race(all, one)) continue;
    if (one.kind == ViolationKind::async_pending && is_read_before_wait(all, one)) continue;
    if (one.kind == ViolationKind::active_lanes && has_wrong_mask(all, one)) continue;
    // That lanes which have returned are in the mask is allowed.
    if (one.kind == ViolationKind::foreign_neighbour && is_of_returned_lane(one) && !checker.is_strict()) continue;
    if (firsts[static_cast<std::size_t>(&one - all.data())] != &one) continue;
    const Maker maker(one, checker, launch);
    if (is_of_unwritten(one.kind) && maker.is_of_padding()) continue;
    made.push_back(maker.make());
    if (made.back().order.has_value() && is_also_stored(all, one)) made.back().order->both_write = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (firsts[i] != &one || &all[i] == &one) continue;
      made.back().repeats += 1 + all[i].repeats;
      if (made.back().order.has_value()) fold_order(*made.back().order, checker.sync().missing_order(all[i]));
      if (one.kind != ViolationKind::active_lanes && !is_reverse(one, all[i]))
        Maker(all[i], checker, launch).add_to(made.back());
    }
  }
  // Causes first: what is out of bounds, then what may follow from it.
  std::stable_partition(made.begin(), made.end(), [](const Finding& one) {
    return record::is_out_of_bounds(one.verdict) || one.verdict == Verdict::use_after_free ||
           one.verdict == Verdict::misaligned;
  });
  return made;
}

}  // namespace warpfiber::check
