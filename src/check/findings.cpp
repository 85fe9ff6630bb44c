// SPDX-License-Identifier: Apache-2.0
#include "check/findings.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "check/calls/places.hpp"
#include "check/launches.hpp"
#include "check/sites.hpp"
#include "check/values.hpp"

namespace warpfiber::check {
namespace {

using record::Finding;
using record::Party;
using record::Role;

/// The words that depend on nothing but the hazard.
struct Wording {
  Hazard hazard;
  const char* id;  // null: depends on the space
  const char* why;
  const char* fix;
  const char* sanitizer_term;
  record::Severity severity = record::Severity::error;
};

constexpr Wording kWordings[] = {
    {Hazard::same_value, "benign-race",
     "Several threads store the same value without order. The value is not in doubt, but the language calls it a race.",
     "let one thread store it, or an atomic, where a tool or a compiler minds", ""},
    {Hazard::other_object, "oob-global",
     "No argument of the launch and no pointer in the device's memory leads to this object: the access has come here "
     "from "
     "another one, beyond its end.",
     "check the index against the extent before the access", ""},
    {Hazard::constant, "oob-global", "Constant memory cannot be written by kernels.",
     "cudaMemcpyToSymbol, or a __device__ variable", "attempt to modify constant memory"},
    {Hazard::freed, "use-after-free", "The memory was freed before this access.",
     "free it after the last kernel that uses it, or synchronise first", "Invalid __global__ access"},
    {Hazard::misaligned, "misaligned", "The address is no multiple of the size of the access.",
     "start from an address that is, or access the elements one by one", "misaligned address"},
    {Hazard::local_of_another, "local-escape",
     "The address is that of another thread's local variable. On the device every thread has its own local memory, and "
     "the same address means the reader's own.",
     "put the variable into shared or global memory, or pass its value", ""},
    {Hazard::host_memory, "oob-global",
     "The address is ordinary host memory, which a device cannot reach without special support.",
     "allocate it with cudaMalloc or cudaMallocManaged, or copy it", "Invalid __global__ access"},
    {Hazard::async_destination, "async-hazard",
     "The destination of an asynchronous copy is used before anybody has waited for the copy.",
     "wait for the copy (cg::wait, __pipeline_wait_prior(0), consumer_wait) between the two",
     "Invalid memcpy_async synchronization"},
    {Hazard::async_source, "async-hazard",
     "The source of an asynchronous copy is overwritten before anybody has waited for the copy.",
     "wait for the copy before the store", ""},
    {Hazard::async_pending, "async-hazard", "The thread ends with an asynchronous copy pending.",
     "wait for the copy before the kernel returns", ""},
    {Hazard::peer_may_be_gone, "dsmem-lifetime",
     "Nothing keeps the block that owns this shared memory from ending before the access.",
     "cluster.sync() after the last access to another block's shared memory", "might have already exited"},
    {Hazard::peer_may_not_run, "dsmem-lifetime",
     "Nothing makes sure that the block that owns this shared memory has started.",
     "cluster.sync() before the first access to another block's shared memory", "might not have entered yet"},
    {Hazard::foreign_lane, "bad-mask",
     "The shuffle takes its value from a lane that is not in its mask, so the value is undefined.",
     "name a lane of the mask, or a mask with that lane, which then has to come to the call", ""},
    {Hazard::foreign_used, "bad-mask",
     "The shuffle comes to a lane that is not in its mask, so the value is undefined, and the thread goes on with it.",
     "use the value only where its lane is in the mask, or shuffle with all lanes and a neutral value in those without "
     "work",
     ""},
    {Hazard::masks_differ, "bad-mask",
     "Lanes of one warp came to this call with masks that differ. Those that named the others met without them, for "
     "they had met on their own and returned.",
     "one mask for all lanes of the call, computed before they part: __ballot_sync(0xffffffff, condition)",
     "Invalid arguments"},
    {Hazard::conversion, "conversion",
     "The integer type cannot hold the number, so the language leaves the result open. A device takes the nearest "
     "integer of 32 or 64 bits, and 0 for a NaN; what comes out here is something else.",
     "compare or clamp the number before it is converted, or use a wider type", "", record::Severity::warning},
    {Hazard::rank_beyond, "cg-misuse",
     "The tile has no thread of this rank. Shuffles of tiles count ranks modulo the size, so the value is that of "
     "another thread: of rank + 1 at the end of a tile, that of the first.",
     "where that is meant, say it: shfl(value, rank % tile.size())", "", record::Severity::info},
    {Hazard::aligned_by_luck, "misaligned",
     "The call promises more than the declaration gives: a device may put the variable at any address that its "
     "declaration allows, and where that breaks the promise, the copy traps. Here the promise is kept by luck.",
     "ask for it in the declaration, as alignas(16) does", "", record::Severity::warning},
    {Hazard::foreign_neighbour, "bad-mask",
     "The shuffle comes to a lane that is not in its mask, so the value is undefined. That is no defect where nobody "
     "uses "
     "it.",
     "see that the value is not used, or shuffle with all lanes of the mask's width", "", record::Severity::warning},
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

const char* by_space(Space space, const char* global, const char* shared, const char* peer) {
  return space == Space::shared ? shared : space == Space::peer_shared ? peer : global;
}

/// "[2][65]": which element of an array of this type, "int [4][128]", the byte at `offset` belongs to, also beyond its
/// bounds: "[4][1]", "[-1][127]". Empty for others.
std::string element_at(std::uint64_t offset, std::uint64_t extent, const std::string& type) {
  std::vector<std::int64_t> dimensions;
  std::uint64_t elements = 1;
  for (std::size_t at = type.find('['); at != std::string::npos; at = type.find('[', at + 1)) {
    const auto dimension = base::parse_number(type.substr(at + 1, type.find(']', at) - at - 1));
    if (!dimension.has_value() || *dimension == 0) return {};
    dimensions.push_back(static_cast<std::int64_t>(*dimension));
    elements *= *dimension;
  }
  if (dimensions.empty() || extent < elements || extent % elements != 0) return {};
  const auto floor = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); };
  std::int64_t index = floor(static_cast<std::int64_t>(offset), static_cast<std::int64_t>(extent / elements));
  std::string text;
  for (std::size_t i = dimensions.size(); i-- > 1; index = floor(index, dimensions[i])) {
    text.insert(0, "[" + std::to_string(index - floor(index, dimensions[i]) * dimensions[i]) + "]");
  }
  return "[" + std::to_string(index) + "]" + text;
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
      made.id = wording->id;
      made.why = wording->why;
      made.fix = wording->fix;
      made.sanitizer_term = wording->sanitizer_term;
      made.severity = wording->severity;
    } else if (of_.hazard == Hazard::race) {
      tell_race(made);
    } else if (of_.hazard == Hazard::lock_step) {
      tell_lock_step(made);
    } else if (of_.hazard == Hazard::outside) {
      tell_outside(made);
    } else {
      tell_uninitialised(made);
    }
    if (of_.hazard == Hazard::same_value && !watch_.is_strict()) made.severity = record::Severity::info;
    if (of_.hazard == Hazard::freed) add_free(made);
    if (of_.hazard == Hazard::host_memory) add_host_memory(made);
    if (is_of_returned_lane(of_)) tell_returned(made);
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
    object.space = space_text(place.space);
    object.address = reinterpret_cast<std::uintptr_t>(of_.address);
    if (place.extent != 0) object.bytes = record::Bytes{place.offset, of_.size, place.extent};
    if (place.line != 0) {
      object.declared = {.file = place.file, .line = place.line};
    } else {
      object.declared.instruction = place.made_by;
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
    if (side.launch != of_.now.launch) party.detail = "of another launch";
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

  void tell_race(Finding& made) const {
    const Space space = of_.place.space;
    const bool same_launch = of_.earlier.launch == of_.now.launch;
    const std::uint64_t one = watch_.finding_id(of_.earlier.thread);
    const std::uint64_t other = watch_.finding_id(of_.now.thread);
    const std::uint64_t threads = base::volume(launch_.block);
    const bool same_block = same_launch && one / threads == other / threads;
    made.id = space == Space::global ? "race-global" : same_block ? "race-shared" : "race-dsmem";
    made.sanitizer_term = made.id == "race-global" ? "" : "Race reported between accesses";
    if (!same_launch) {
      made.why = "The two launches are in streams that nothing orders.";
      made.fix = "cudaEventRecord after the first and cudaStreamWaitEvent before the second, or one stream";
      return;
    }
    const bool both_atomic = of_.earlier.strong && of_.now.strong;
    if (both_atomic) {
      made.why = "Both accesses are atomic, but the scope of one of them does not reach the other thread.";
      made.fix = "the atomic function without _block, or thread_scope_device";
      return;
    }
    const bool one_atomic = of_.earlier.strong || of_.now.strong;
    if (same_block) {
      const bool same_warp = one % threads / launch_.warp_size == other % threads / launch_.warp_size;
      made.why = same_warp
                     ? "Both threads are in one warp, and nothing orders the two: since sm_70 lanes do not run in "
                       "lock-step."
                     : "Nothing orders the two: no barrier that both threads come to lies between them.";
      made.fix = same_warp ? "a __syncwarp() between the two" : "a __syncthreads() between the two";
    } else if (made.id == "race-dsmem") {
      made.why = "Nothing orders the two: only a barrier of the cluster orders threads of different blocks.";
      made.fix = "a cluster.sync() between the two";
    } else {
      made.why =
          "Nothing orders the two: the threads are in different blocks, and no barrier of the grid and no pair of "
          "release and acquire lies between them.";
      made.fix =
          "a grid.sync() in a cooperative launch, two launches, or a flag that is written after __threadfence() "
          "and read before it";
    }
    if (!one_atomic) {
      // No barrier comes between threads that do one and the same thing at one time, such as adding to a sum.
      made.fix_in_line =
          "an atomic operation (atomicAdd() and the like) or one thread that does it for all, if several threads are "
          "to change it; else " +
          made.fix;
      return;
    }
    made.why += " Only one of them is atomic.";
    made.fix += "; or an atomic operation in place of the other access, where no more is to be ordered";
  }

  void tell_lock_step(Finding& made) const {
    made.severity = record::Severity::warning;
    made.id = by_space(of_.place.space, "race-global", "race-shared", "race-dsmem");
    made.why =
        "Both accesses are volatile, so they are no race; but nothing orders the lanes of a warp. Where the value is "
        "to "
        "be that of the store, the program takes them to run in lock-step, which they do not since sm_70; where the "
        "lane "
        "waits for it, it waits for ever on devices before.";
    made.fix = "a __syncwarp() between the two, or a shuffle in place of both";
  }

  void tell_outside(Finding& made) const {
    made.id = by_space(of_.place.space, "oob-global", "oob-shared", "oob-dsmem");
    made.why = of_.place.extent == 0 ? "No object of the device is there."
                                     : "The access is outside the object that is nearest to it.";
    made.fix = "check the index against the extent before the access";
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

  static void tell_returned(Finding& made) {
    made.severity = record::Severity::warning;
    made.why =
        "The shuffle takes its value from a lane of its mask that has returned, so the value is undefined. An H200 "
        "gives 0, and so does this.";
    made.fix = "let that lane stay until the shuffle, or take the value of one that does";
  }

  void tell_uninitialised(Finding& made) const {
    made.id = by_space(of_.place.space, "uninit-global", "uninit-shared", "uninit-shared");
    made.why = "Nothing has been written there since the memory was allocated, so the value is anything.";
    if (of_.place.space != Space::global)
      made.why = "No thread of the block has written there, so the value is anything.";
    made.fix = "write it first: all of it, also the elements beyond the last full tile";
    made.sanitizer_term = of_.place.space == Space::global ? "Uninitialized __global__ memory read"
                                                           : "Uninitialized __shared__ memory read";
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
  party.detail = written ? "which nothing orders with the write" : "before others have written it";
  return party;
}

namespace {

/// Whether two sites are one in the source, whatever calls led there.
bool is_same(unsigned site, unsigned other) {
  return alone(site) == alone(other);
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
  const auto base = [](const Case& of) { return static_cast<const char*>(of.address) - of.place.offset; };
  return other.hazard == Hazard::async_destination && same && base(one) == base(other);
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

/// Whether threads that the end of the launch has cut short might have written in time. None is ordered before a read
/// that has been; but who waits for a value plainly may be in a race with its writer.
bool may_be_missing(const Case& uninitialised, Cut cut) {
  return cut == Cut::misused || (cut == Cut::stuck && !uninitialised.now.strong);
}

}  // namespace

Cut cut_by(const Finding& finding) {
  constexpr std::string_view kStuck[] = {"deadlock", "livelock"};
  constexpr std::string_view kMisused[] = {"async-hazard", "bad-mask", "barrier-divergence", "cg-misuse"};
  if (std::ranges::find(kStuck, finding.id) != std::end(kStuck)) return Cut::stuck;
  return std::ranges::find(kMisused, finding.id) != std::end(kMisused) ? Cut::misused : Cut::stopped;
}

std::vector<Finding> findings_of(const Watch& watch, const record::LaunchFacts& launch, Cut cut) {
  std::vector<Finding> made;
  const std::vector<Case>& all = watch.cases().all();
  std::vector<const Case*> firsts;
  for (const Case& one : all) firsts.push_back(&first_of_defect(all, one, watch));
  for (const Case& one : all) {
    if (one.hazard == Hazard::outside && !one.now.write && written_outside(all, one.place) != nullptr) continue;
    if (one.hazard == Hazard::uninitialised && (may_be_missing(one, cut) || is_explained(all, one))) continue;
    if (one.hazard == Hazard::race && is_told_of_copy(all, one)) continue;
    if (one.hazard == Hazard::same_value && is_part_of_race(all, one)) continue;
    // That lanes which have returned are in the mask is allowed.
    if (one.hazard == Hazard::foreign_neighbour && is_of_returned_lane(one)) continue;
    if (cut != Cut::none && &one == told_of_refused(watch)) continue;
    if (firsts[static_cast<std::size_t>(&one - all.data())] != &one) continue;
    made.push_back(Maker(one, watch, launch).make());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (firsts[i] != &one || &all[i] == &one) continue;
      made.back().repeats += 1 + all[i].repeats;
      if (!is_reverse(one, all[i])) Maker(all[i], watch, launch).add_to(made.back());
    }
  }
  return made;
}

}  // namespace warpfiber::check
