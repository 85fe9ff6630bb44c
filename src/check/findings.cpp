// SPDX-License-Identifier: Apache-2.0
#include "check/findings.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "check/bounds/bad_indices.hpp"
#include "check/calls/places.hpp"
#include "check/launches.hpp"
#include "check/objects/outside_text.hpp"
#include "check/sites.hpp"
#include "check/values.hpp"

namespace warpfiber::check {
namespace {

using record::Finding;
using record::Party;
using record::Role;
using record::Verdict;

/// The words that depend on nothing but the hazard.
struct Wording {
  Hazard hazard;
  Verdict verdict;
  const char* why;
  const char* fix;
  const char* sanitizer_term;
  record::Severity severity = record::Severity::error;
};

constexpr const char* kInvalidAccess = "Invalid __global__";

constexpr Wording kWordings[] = {
    {Hazard::same_value, Verdict::benign_race,
     "Several threads store the same value without order. The result is the same, but CUDA's memory model calls it a "
     "data race.",
     "let one thread store it, or use an atomic store", ""},
    {Hazard::other_object, Verdict::oob_global,
     "No argument of the kernel and no pointer in device memory points into this object: the index of another object "
     "is out of bounds.",
     "check the index against the extent before the access", ""},
    {Hazard::constant, Verdict::oob_global, "A kernel cannot write __constant__ memory.",
     "write it from the host with cudaMemcpyToSymbol(), or use a __device__ variable", ""},
    {Hazard::freed, Verdict::use_after_free, "The memory was freed before this access.",
     "free it after the last kernel that uses it has ended", kInvalidAccess},
    {Hazard::misaligned, Verdict::misaligned, "The address is not a multiple of the size of the access.",
     "use an aligned address, or access the elements one by one", "is misaligned"},
    {Hazard::local_of_another, Verdict::local_escape,
     "The address is that of another thread's local variable. On the device every thread has its own local memory, "
     "where the same address is the reader's own variable.",
     "put the variable into shared or global memory, or pass its value", ""},
    {Hazard::host_memory, Verdict::oob_global,
     "The address is in pageable host memory, which a device cannot access unless it supports pageable memory access.",
     "allocate it with cudaMalloc() or cudaMallocManaged(), or copy it", kInvalidAccess},
    {Hazard::async_destination, Verdict::async_hazard,
     "The destination of an asynchronous copy is accessed before the copy is complete: no wait lies between them.",
     "wait for the copy (cg::wait(), __pipeline_wait_prior(0), consumer_wait()) between the two",
     "invalid memcpy_async synchronization"},
    {Hazard::async_source, Verdict::async_hazard,
     "The source of an asynchronous copy is overwritten before the copy is complete: no wait lies between them.",
     "wait for the copy before the store", ""},
    {Hazard::async_pending, Verdict::async_hazard, "The thread returns while its asynchronous copy is still pending.",
     "wait for the copy before the kernel returns", ""},
    {Hazard::peer_may_be_gone, Verdict::dsmem_lifetime,
     "The block that owns this shared memory may have returned before the access.",
     "cluster.sync() after the last access to another block's shared memory", "might have already exited"},
    {Hazard::peer_may_not_run, Verdict::dsmem_lifetime,
     "The block that owns this shared memory may not have started yet.",
     "cluster.sync() before the first access to another block's shared memory", "might not have entered yet"},
    {Hazard::foreign_lane, Verdict::bad_mask,
     "The shuffle reads from a lane that is not in its mask, so its result is undefined.",
     "read from a lane of the mask, or add that lane to the mask and let it execute the shuffle", ""},
    {Hazard::foreign_used, Verdict::bad_mask,
     "The shuffle reads from a lane that is not in its mask, so its result is undefined, and the thread uses it.",
     "use the result only where the source lane is in the mask, or shuffle with all lanes and a neutral value in the "
     "idle ones",
     ""},
    {Hazard::masks_differ, Verdict::bad_mask,
     "Lanes of one warp execute this call with different masks. The lanes that an earlier mask named had already "
     "executed it without the others.",
     "compute one mask for all lanes before they diverge: __ballot_sync(0xffffffff, condition)", ""},
    {Hazard::conversion, Verdict::conversion,
     "The integer type cannot represent the number, so the result is undefined in C++. A device converts to the "
     "nearest integer of 32 or 64 bits, and a NaN to 0; the result here may differ.",
     "compare or clamp the number before the conversion, or use a wider type", "", record::Severity::warning},
    {Hazard::rank_beyond, Verdict::cg_misuse,
     "The tile has no thread of this rank. Tile shuffles take ranks modulo the size, so rank + 1 of the last thread is "
     "the first.",
     "if that is intended, write shfl(value, rank % tile.size())", "", record::Severity::info},
    {Hazard::aligned_by_luck, Verdict::misaligned,
     "The call promises a larger alignment than the declaration guarantees. A device may place the variable at any "
     "address that the declaration allows, and the copy traps where that breaks the promise.",
     "declare the variable with that alignment, for example alignas(16)", "", record::Severity::warning},
    {Hazard::foreign_neighbour, Verdict::bad_mask,
     "The shuffle reads from a lane that is not in its mask, so its result is undefined. This is harmless if the "
     "result is not used.",
     "do not use the result, or shuffle with a mask of all lanes", "", record::Severity::warning},
};

const Wording* wording_of(Hazard hazard) {
  for (const Wording& wording : kWordings) {
    if (wording.hazard == hazard) return &wording;
  }
  return nullptr;
}

const char* space_text(Space space) {
  switch (space) {
    case Space::global: return "global";
    case Space::local: return "local";
    case Space::host: return "host";
    case Space::shared:
    case Space::peer_shared: return "shared";
    case Space::none: return "";
  }
  __builtin_unreachable();
}

template <class T>
T by_space(Space space, T global, T shared, T peer) {
  return space == Space::shared ? shared : space == Space::peer_shared ? peer : global;
}

/// Whether the lane that a shuffle takes from is in its mask, and has returned.
bool is_of_returned_lane(const Case& one) {
  const bool shuffle = one.hazard == Hazard::foreign_lane || one.hazard == Hazard::foreign_used ||
                       one.hazard == Hazard::foreign_neighbour;
  return shuffle && (one.mask >> one.value & 1) != 0;
}

/// Makes the finding of one case.
class Maker {
 public:
  Maker(const Case& of, const Watch& watch, const record::LaunchFacts& launch)
      : of_(of), watch_(watch), launch_(launch) {}

  Finding make() {
    Finding made;
    made.launch = launch_;
    made.repeats = of_.repeats;
    if (of_.place.space != Space::none) made.object = object();
    if (of_.two_sides) made.parties.push_back(party(of_.earlier, true));
    made.parties.push_back(party(of_.now, false));
    if (const Wording* wording = wording_of(of_.hazard)) {
      made.verdict = wording->verdict;
      made.why = wording->why;
      made.fix = wording->fix;
      made.sanitizer_term = wording->sanitizer_term;
      made.severity = wording->severity;
    } else if (of_.hazard == Hazard::race) {
      explain_race(made);
    } else if (of_.hazard == Hazard::lock_step) {
      explain_lock_step(made);
    } else if (of_.hazard == Hazard::outside) {
      explain_outside(made);
    } else if (of_.hazard == Hazard::index) {
      watch_.bad_indices().describe(of_.now.site, made);
    } else {
      explain_uninitialised(made);
    }
    // Of an atomic it prints another word; which of the strong accesses are atomics is not known here.
    if (made.sanitizer_term == kInvalidAccess && !of_.now.strong)
      made.sanitizer_term += of_.now.write ? " write" : " read";
    if (of_.hazard == Hazard::same_value && !watch_.is_strict()) made.severity = record::Severity::info;
    if (of_.hazard == Hazard::freed) add_free(made);
    if (of_.hazard == Hazard::host_memory) add_host_memory(made);
    if (is_of_returned_lane(of_)) explain_returned(made);
    const bool is_far = of_.hazard == Hazard::host_memory && of_.place.name.empty();
    if (of_.hazard == Hazard::outside || is_far) watch_.bad_indices().explain(of_.index_site, of_.place, made);
    made.after_bad_index = of_.index_site != 0;
    return made;
  }

  /// The parties of a case that is the same defect as the finding's.
  void add_to(Finding& made) const {
    constexpr std::size_t kMost = 8;
    for (const bool earlier : {true, false}) {
      Party other = party(earlier ? of_.earlier : of_.now, earlier);
      const auto is_same = [&other](const Party& one) { return one.role == other.role && one.place == other.place; };
      const bool known = of_.hazard == Hazard::async_destination && std::ranges::any_of(made.parties, is_same);
      if (!known && made.parties.size() < kMost) made.parties.push_back(std::move(other));
    }
  }

 private:
  record::Object object() const {
    record::Object object;
    const Place& place = of_.place;
    object.name = place.name.empty() ? "" : place.name + element_at(place.offset, place.extent, place.type);
    object.type = place.type;
    object.space = place.constant ? "constant" : space_text(place.space);
    object.address = reinterpret_cast<std::uintptr_t>(of_.address);
    if (place.extent != 0) object.bytes = record::Bytes{place.offset, of_.size, place.extent};
    if (place.line != 0) {
      object.declared = {.file = place.file, .line = place.line};
    } else {
      object.declared.instruction = last_byte_of_call(place.made_by);
    }
    return object;
  }

  Party party(const Side& side, bool earlier) const {
    Party party;
    party.role = side.write ? Role::write : Role::read;
    const LaunchShape shape = launch_shape(side.launch);
    record::LaunchFacts facts;
    facts.grid = shape.grid;
    facts.block = shape.block;
    facts.warp_size = shape.warp_size;
    const std::uint64_t rank = side.thread & ((std::uint64_t{1} << shape.thread_bits) - 1);
    const std::uint64_t id = (side.thread >> shape.thread_bits) * base::volume(shape.block) + rank;
    party.who = record::members_of_threads(facts, std::span(&id, 1));
    put_site(side.site, party);
    if (of_.mask != 0) {
      party.role = Role::call;
      party.detail = mask_detail(earlier);
    } else if (of_.hazard == Hazard::index) {
      if (of_.place.space == Space::none) party.role = Role::access;
      party.detail = of_.detail;
    } else if (!of_.detail.empty()) {
      party.role = of_.hazard == Hazard::conversion ? Role::convert : Role::call;
      party.detail = of_.detail;
    }
    party.what = of_.hazard == Hazard::masks_differ      ? "collective"
                 : of_.hazard == Hazard::conversion      ? "conversion"
                 : of_.hazard == Hazard::rank_beyond     ? "tile.shfl()"
                 : of_.hazard == Hazard::aligned_by_luck ? "asynchronous copy"
                 : of_.mask != 0                         ? "shuffle"
                 : side.strong                           ? "atomic or volatile access"
                 : side.write                            ? "store"
                                                         : "load";
    party.strong = side.strong;
    if (of_.two_sides && of_.earlier.launch != of_.now.launch) {
      party.kernel = shape.kernel;
      party.launched.instruction = last_byte_of_call(shape.launched);
    }
    if (side.has_value) {
      party.object.emplace();
      party.object->value = value_text(of_.address, of_.size, of_.place.type, side.around);
    }
    return party;
  }

  std::string mask_detail(bool earlier) const {
    const std::uint64_t mask = earlier ? of_.value : of_.mask;
    const std::string text = "with mask " + base::mask_text(mask, launch_.warp_size);
    return of_.hazard == Hazard::masks_differ ? text : "from lane " + std::to_string(of_.value) + " " + text;
  }

  void explain_race(Finding& made) const {
    const bool same_block = watch_.block_of(of_.earlier.thread) == watch_.block_of(of_.now.thread);
    const bool same_launch = of_.earlier.launch == of_.now.launch;
    made.verdict = of_.place.space == Space::global ? Verdict::race_global
                   : same_block                     ? Verdict::race_shared
                                                    : Verdict::race_dsmem;
    made.sanitizer_term = made.verdict == Verdict::race_global ? "" : "Race reported between";
    if (!same_launch) return explain_launches(made);
    if (of_.earlier.strong && of_.now.strong) {
      made.why = "Both accesses are atomic, but the scope of one of them does not include the other thread.";
      made.fix = "use the atomic function without the suffix _block, or cuda::thread_scope_device";
      return;
    }
    made.order = watch_.missing_order(of_);
  }

  void explain_launches(Finding& made) const {
    LaunchShape first = launch_shape(of_.earlier.launch);
    LaunchShape second = launch_shape(of_.now.launch);
    if (second.operation < first.operation) std::swap(first, second);  // in the order of the program
    const std::string one = first.kernel;
    const std::string other = second.kernel;
    const bool differ = one != other && !one.empty() && !other.empty();
    const std::string launches = differ        ? "The launches of " + one + " and " + other
                                 : one.empty() ? "Two launches"
                                               : "Two launches of " + one;
    made.why = launches + " are in different streams, and nothing orders them.";
    made.fix = "cudaEventRecord() after " + (differ ? "the launch of " + one : "the first launch") +
               " and cudaStreamWaitEvent() before " + (differ ? "that of " + other : "the second") +
               ", or launch both in one stream";
  }

  void explain_lock_step(Finding& made) const {
    made.severity = record::Severity::warning;
    made.verdict = by_space(of_.place.space, Verdict::race_global, Verdict::race_shared, Verdict::race_dsmem);
    made.why =
        "Both accesses are volatile, so this is not a data race, but nothing orders the lanes of a warp. The program "
        "seems to rely on lock-step execution, which devices since sm_70 do not guarantee.";
    made.fix = "__syncwarp() between the two, or a shuffle instead of both";
  }

  void explain_outside(Finding& made) const {
    made.verdict = by_space(of_.place.space, Verdict::oob_global, Verdict::oob_shared, Verdict::oob_dsmem);
    const OutsideText text = explain_outside_access(of_);
    made.why = text.why;
    made.fix = text.fix;
    if (of_.place.constant) return;
    made.sanitizer_term = std::string("Invalid ") +
                          by_space(of_.place.space, "__global__", "__shared__", "__remote_shared__") +
                          (of_.now.write ? " write" : " read");
  }

  /// The name of a variable of the host, or the launch that was given the address.
  void add_host_memory(Finding& made) const {
    if (!of_.place.name.empty()) {
      made.why = of_.place.name + " is a variable of the host, which a device cannot reach.";
      made.fix = "pass its value as a parameter of the kernel, or declare it __device__ or __managed__";
      return;
    }
    const record::LaunchOrder& order = watch_.order();
    if (order.returns_to == nullptr) return;
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
    made.why =
        "The shuffle reads from a lane of its mask that has returned, so its result is undefined. It is 0 on an "
        "H200 and in this run.";
    made.fix = "keep that lane until the shuffle, or read from a lane that has not returned";
  }

  void explain_uninitialised(Finding& made) const {
    const bool global = of_.place.space == Space::global;
    made.verdict = by_space(of_.place.space, Verdict::uninit_global, Verdict::uninit_shared, Verdict::uninit_shared);
    made.why = global ? "This memory has not been written since it was allocated: its value is undefined."
                      : "No thread of the block has written this memory: its value is undefined.";
    made.fix = "write all of it before it is read, including the elements beyond the last full tile";
    made.sanitizer_term = global ? "Uninitialized __global__ memory read" : "Uninitialized __shared__ memory read";
  }

  void add_free(Finding& made) const {
    if (of_.place.freed_by == nullptr) return;
    Party freed;
    freed.role = Role::call;
    freed.what = "cudaFree()";
    freed.place.instruction = last_byte_of_call(of_.place.freed_by);
    made.parties.push_back(freed);
  }

  const Case& of_;
  const Watch& watch_;
  const record::LaunchFacts& launch_;
};

/// Whether somebody writes outside of the same object, or to shared memory where there is none: who reads there reads
/// what was stored by that mistake.
const Case* written_outside(const std::vector<Case>& all, const Place& place) {
  const auto found = std::ranges::find_if(all, [&place](const Case& other) {
    return other.hazard == Hazard::outside && other.now.write && (place.extent != 0 || place.space == Space::shared) &&
           other.place.space == place.space && other.place.name == place.name && other.place.extent == place.extent;
  });
  return found == all.end() ? nullptr : &*found;
}

/// What the processor has refused, as it is told.
const Case* told_of_refused(const Watch& watch) {
  const Case* refused = watch.refused();
  if (refused == nullptr || refused->hazard != Hazard::outside || refused->now.write) return refused;
  // A change reads and writes.
  const Case* written = written_outside(watch.cases().all(), refused->place);
  return written != nullptr && written->address == refused->address ? written : refused;
}

}  // namespace

std::optional<Finding> finding_of_refused(const Watch& watch, const record::LaunchFacts& launch) {
  const Case* refused = told_of_refused(watch);
  if (refused == nullptr) return std::nullopt;
  return Maker(*refused, watch, launch).make();
}

std::optional<Party> early_read(const Watch& watch, const record::LaunchFacts& launch) {
  const std::vector<Case>& all = watch.cases().all();
  const auto early = std::ranges::find_if(all, [](const Case& one) {
    const bool mixed = one.hazard == Hazard::race && one.earlier.write != one.now.write;
    return mixed || one.hazard == Hazard::uninitialised;
  });
  if (early == all.end()) return std::nullopt;
  const bool written = early->hazard == Hazard::race;
  Party party = Maker(*early, watch, launch).make().parties.at(written && early->earlier.write ? 1 : 0);
  party.detail = written ? "not ordered with the write" : "before it is written";
  return party;
}

namespace {

/// Whether two sites are one in the source, whatever calls led there.
bool is_same(unsigned site, unsigned other) {
  return alone(site) == alone(other);
}

/// Where the object of the case begins.
const char* base_of(const Case& one) {
  return static_cast<const char*>(one.address) - one.place.offset;
}

/// What nobody has written yet, somebody writes without order: one defect.
bool is_explained(const std::vector<Case>& all, const Case& uninitialised) {
  return std::ranges::any_of(all, [&uninitialised](const Case& other) {
    if (other.hazard == Hazard::peer_may_not_run) return true;
    return other.hazard == Hazard::race &&
           (is_same(other.earlier.site, uninitialised.now.site) || is_same(other.now.site, uninitialised.now.site));
  });
}

/// What is done before others have started their part of an asynchronous copy is a race, and what is done after that
/// is a hazard of the copy: one defect, where both are at the same lines.
bool is_told_of_copy(const std::vector<Case>& all, const Case& race) {
  return std::ranges::any_of(all, [&race](const Case& other) {
    if (other.hazard != Hazard::async_destination && other.hazard != Hazard::async_source) return false;
    return (is_same(other.earlier.site, race.now.site) && is_same(other.now.site, race.earlier.site)) ||
           (is_same(other.earlier.site, race.earlier.site) && is_same(other.now.site, race.now.site));
  });
}

/// An index out of bounds that has led into another object: what is found there follows from it.
bool follows_from_outside(const std::vector<Case>& all, const Case& race) {
  return std::ranges::any_of(all, [&](const Case& other) {
    if (other.hazard != Hazard::outside && other.hazard != Hazard::other_object) return false;
    const bool leads = (is_same(other.now.site, race.now.site) && other.now.write == race.now.write) ||
                       (is_same(other.now.site, race.earlier.site) && other.now.write == race.earlier.write);
    return leads && base_of(other) != base_of(race);
  });
}

/// Elements that are written with more bytes than they are apart: the last one runs over the end of the object, the
/// others into their neighbours. Stores that meet in more words have another cause as well.
bool is_part_of_overrun(const std::vector<Case>& all, const Case& race, std::uint64_t threads) {
  return std::ranges::any_of(all, [&](const Case& other) {
    const bool same_site = is_same(other.now.site, race.now.site) && is_same(other.now.site, race.earlier.site);
    const std::uint64_t words = (other.size + kWordBytes - 1) / kWordBytes;
    return other.begins_inside && other.now.write && race.now.write && race.earlier.write && same_site &&
           base_of(other) == base_of(race) && 1 + race.repeats <= words * threads;
  });
}

/// Where the store of one and the same value is also in a race with a read or another value, that is what is wrong.
bool is_part_of_race(const std::vector<Case>& all, const Case& same_value) {
  return std::ranges::any_of(all, [&same_value](const Case& other) {
    return other.hazard == Hazard::race &&
           (is_same(other.earlier.site, same_value.now.site) || is_same(other.now.site, same_value.now.site));
  });
}

/// The same two accesses, which came in the other order elsewhere.
bool is_reverse(const Case& one, const Case& other) {
  return one.hazard == Hazard::race && other.hazard == Hazard::race && is_same(one.earlier.site, other.now.site) &&
         is_same(one.now.site, other.earlier.site) && one.earlier.write == other.now.write &&
         one.now.write == other.earlier.write;
}

/// One wait that is missing, or too weak, leaves several copies to a variable on their way, and what follows meets each
/// of them. True for a case and itself.
bool is_of_same_wait(const Case& one, const Case& other) {
  const bool same = is_same(one.earlier.site, other.earlier.site) || is_same(one.now.site, other.now.site) ||
                    is_same(one.earlier.site, other.now.site) || is_same(one.now.site, other.earlier.site);
  return other.hazard == Hazard::async_destination && same && base_of(one) == base_of(other);
}

bool is_between_atomics(const Case& one) {
  return one.hazard == Hazard::race && one.earlier.strong && one.now.strong;
}

/// The case that tells of the same defect, if it comes before; itself where none does. An atomic whose scope is too
/// small is a race, and so is what it would have ordered between threads of the same two blocks.
const Case& first_of_defect(const std::vector<Case>& all, const Case& one, const Watch& watch) {
  if (one.hazard == Hazard::async_destination) {
    const auto copied = std::ranges::find_if(all, [&](const Case& other) { return is_of_same_wait(one, other); });
    return &*copied == &one ? one : first_of_defect(all, *copied, watch);
  }
  const auto earlier = std::ranges::find_if(all, [&](const Case& other) { return is_reverse(one, other); });
  const Case& first = earlier != all.end() && &*earlier < &one ? *earlier : one;
  if (one.hazard != Hazard::race || is_between_atomics(one)) return first;
  const auto blocks = [&watch](const Case& of) {
    return std::minmax({watch.block_of(of.earlier.thread), watch.block_of(of.now.thread)});
  };
  const auto atomics = std::ranges::find_if(
      all, [&](const Case& other) { return is_between_atomics(other) && blocks(other) == blocks(one); });
  return atomics == all.end() ? first : *atomics;
}

/// Whether threads also store one and the same value at one of the lines of the race.
bool is_also_stored(const std::vector<Case>& all, const Case& race) {
  return std::ranges::any_of(all, [&race](const Case& other) {
    return other.hazard == Hazard::same_value &&
           ((is_same(other.earlier.site, race.earlier.site) && is_same(other.now.site, race.now.site)) ||
            (is_same(other.earlier.site, race.now.site) && is_same(other.now.site, race.earlier.site)));
  });
}

/// What is missing for one pair is missing for all that are folded with it.
void fold_order(record::MissingOrder& order, const record::MissingOrder& other) {
  order.width = std::max(order.width, other.width);
  order.both_write = order.both_write || other.both_write;
  if (!order.hand_over.has_value()) order.hand_over = other.hand_over;
}

/// Whether threads that the end of the launch has cut short might have written in time. None is ordered before a read
/// that has been; but who waits for a value plainly may be in a race with its writer.
bool may_be_missing(const Case& uninitialised, Cut cut) {
  return cut == Cut::misused || (cut == Cut::stuck && !uninitialised.now.strong);
}

}  // namespace

Cut cut_by(const Finding& finding) {
  constexpr Verdict kStuck[] = {Verdict::deadlock, Verdict::livelock};
  constexpr Verdict kMisused[] = {Verdict::async_hazard, Verdict::bad_mask, Verdict::barrier_divergence,
                                  Verdict::cg_misuse};
  if (std::ranges::find(kStuck, finding.verdict) != std::end(kStuck)) return Cut::stuck;
  return std::ranges::find(kMisused, finding.verdict) != std::end(kMisused) ? Cut::misused : Cut::stopped;
}

std::vector<Finding> findings_of(const Watch& watch, const record::LaunchFacts& launch, Cut cut) {
  std::vector<Finding> made;
  const std::vector<Case>& all = watch.cases().all();
  const std::uint64_t threads = base::volume(launch.grid) * base::volume(launch.block);
  std::vector<const Case*> firsts;
  for (const Case& one : all) firsts.push_back(&first_of_defect(all, one, watch));
  for (const Case& one : all) {
    if (one.hazard == Hazard::outside && !one.now.write && written_outside(all, one.place) != nullptr) continue;
    if (one.hazard == Hazard::uninitialised && (may_be_missing(one, cut) || is_explained(all, one))) continue;
    if (one.hazard == Hazard::race && (is_told_of_copy(all, one) || follows_from_outside(all, one))) continue;
    if (one.hazard == Hazard::race && is_part_of_overrun(all, one, threads)) continue;
    if (one.hazard == Hazard::same_value && is_part_of_race(all, one)) continue;
    // That lanes which have returned are in the mask is allowed.
    if (one.hazard == Hazard::foreign_neighbour && is_of_returned_lane(one) && !watch.is_strict()) continue;
    if (cut != Cut::none && &one == told_of_refused(watch)) continue;
    if (firsts[static_cast<std::size_t>(&one - all.data())] != &one) continue;
    made.push_back(Maker(one, watch, launch).make());
    if (made.back().order.has_value() && is_also_stored(all, one)) made.back().order->both_write = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (firsts[i] != &one || &all[i] == &one) continue;
      made.back().repeats += 1 + all[i].repeats;
      if (made.back().order.has_value()) fold_order(*made.back().order, watch.missing_order(all[i]));
      if (!is_reverse(one, all[i])) Maker(all[i], watch, launch).add_to(made.back());
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
