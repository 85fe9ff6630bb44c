// SPDX-License-Identifier: Apache-2.0
// Naming places, objects and launches.
#include "report/names.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "report/columns.hpp"
#include "report/short_name.hpp"

namespace warpfiber::report {
namespace {

using record::Bytes;
using record::ObjectFacts;
using record::Place;

/// Names of template instances can fill a screen.
constexpr std::size_t kLongestKernel = 60;
constexpr std::size_t kLongestType = 80;

std::string_view last_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

/// Whether the first path is the second, or how it is called in a folder above or, with "../" in front, next to it:
/// variables know their file as the compiler was given it, instructions by its whole path.
bool is_end_of(std::string_view part, std::string_view path) {
  while (part.starts_with("../")) part.remove_prefix(3);
  return path.ends_with(part) && (part.size() == path.size() || path[path.size() - part.size() - 1] == '/');
}

void add(std::string& list, const std::string& text) {
  if (!list.empty() && !text.empty()) list += ", ";
  list += text;
}

/// "bytes 260..263 of 512"; of a pointer, which has no size, "256 bytes" or "byte 4 of 256".
std::string bytes_text(const Bytes& bytes) {
  const auto first = static_cast<std::int64_t>(bytes.offset);  // in front of the object where it is negative
  if (bytes.size == 0) {
    return first == 0 ? base::counted(bytes.extent, "byte") : fmt::format("byte {} of {}", first, bytes.extent);
  }
  const std::int64_t last = first + static_cast<std::int64_t>(bytes.size) - 1;
  std::string text = bytes.size == 1 ? fmt::format("byte {}", first) : fmt::format("bytes {}..{}", first, last);
  if (bytes.extent != 0) text += fmt::format(" of {}", bytes.extent);
  return text;
}

}  // namespace

Names::Names(const record::Finding& finding) : launch_(finding.launch) {
  if (finding.object) note(*finding.object);
  for (const record::Party& party : finding.parties) {
    note(party.place);
    note(party.launched);
    for (const record::Place& call : party.stack) note(call);
    for (const std::vector<record::Place>& stack : party.other_stacks) {
      for (const record::Place& call : stack) note(call);
    }
    if (party.object) note(*party.object);
    for (const record::ObjectFacts& object : party.further) note(object);
    of_host_ = of_host_ || (launch_.kernel.empty() && party.who.unit == record::Unit::host);
  }
}

void Names::note(const Place& place) {
  const std::string name(last_name(place.file));
  const auto [entry, added] = shown_.try_emplace(name, place.file);
  std::string& path = entry->second;
  if (added || path.empty() || is_end_of(place.file, path)) return;
  path = is_end_of(path, place.file) ? place.file : std::string();
}

void Names::note(const ObjectFacts& object) {
  note(object.declared);
  note(object.freed);
  if (object.last_write) note(object.last_write->place);
}

std::string Names::place(const Place& place) const {
  if (!place.known()) return {};
  const std::string name(last_name(place.file));
  const auto entry = shown_.find(name);
  const bool unique = entry != shown_.end() && is_end_of(place.file, entry->second);
  return fmt::format("{}:{}", unique ? name : place.file, place.line);
}

std::string Names::object(const ObjectFacts& object) const {
  std::string facts;
  add(facts, abbreviated(object.type, kLongestType));
  add(facts, object.space);
  if (object.bytes) add(facts, bytes_text(*object.bytes));
  if (!object.value.empty()) add(facts, "value " + object.value);
  if (object.declared.known()) {
    add(facts, (object.name.empty() || object.is_allocated ? "allocated " : "declared ") + place(object.declared));
  }
  if (object.freed.known()) add(facts, "freed " + place(object.freed));
  std::string text = object.name.empty() ? fmt::format("0x{:x}", object.address) : object.name;
  if (!facts.empty()) text += fmt::format(" ({})", facts);
  if (!object.last_write) return text;
  text += ", last written by " + who_text(object.last_write->who, launch_);
  if (object.last_write->place.known()) text += " at " + place(object.last_write->place);
  return text;
}

std::string Names::launch() const {
  if (of_host_) return "the host program";
  if (launch_.kernel.empty() && launch_.device.empty()) return "a kernel";
  std::string text = fmt::format("{}<<<{}, {}>>>", abbreviated(launch_.kernel, kLongestKernel),
                                 base::triple_text(launch_.grid), base::triple_text(launch_.block));
  if (launch_.cluster != base::Triple{1, 1, 1}) text += ", clusters of " + base::triple_text(launch_.cluster);
  if (launch_.cooperative) text += ", cooperative";
  if (const std::uint64_t shared = launch_.static_shared + launch_.dynamic_shared; shared != 0)
    text += fmt::format(", {} shared", base::bytes_text(shared));
  if (!launch_.device.empty()) text += fmt::format(", on {} (model)", launch_.device);
  return text;
}

// Naming members.

namespace {

using record::LaunchFacts;
using record::Members;
using record::Run;

constexpr std::size_t kMostRuns = 3;

std::uint64_t length(const Run& run, const base::Triple& extent) {
  return base::linear_index(run.last, extent) - base::linear_index(run.first, extent) + 1;
}

bool one_dimensional(const base::Triple& extent) {
  return extent.y == 1 && extent.z == 1;
}

std::string coordinates(const Run& run) {
  return base::range_text(run.first, run.last);
}

/// "0", "1-255": threads of a one-dimensional block.
std::string numbers(const Run& run) {
  if (run.first == run.last) return fmt::format("{}", run.first.x);
  return fmt::format("{}-{}", run.first.x, run.last.x);
}

/// "(0,0,0) … (3,0,0), (5,0,0), (7,0,0) and 12 more".
template <class Spell>
std::string list(std::span<const Run> runs, const base::Triple& extent, Spell spell) {
  std::string text;
  for (const Run& run : runs.first(std::min(runs.size(), kMostRuns))) text += (text.empty() ? "" : ", ") + spell(run);
  if (runs.size() <= kMostRuns) return text;
  std::uint64_t others = 0;
  for (const Run& run : runs.subspan(kMostRuns)) others += length(run, extent);
  return fmt::format("{} and {} more", text, base::thousands(others));
}

bool single(std::span<const Run> runs) {
  return runs.size() == 1 && runs[0].first == runs[0].last;
}

/// "thread 0", "threads 1-255, 300", "thread (0,1,0)".
std::string threads_text(const Members& members, const LaunchFacts& launch) {
  const std::string noun = single(members.threads) ? "thread " : "threads ";
  if (one_dimensional(launch.block)) return noun + list(members.threads, launch.block, numbers);
  return noun + list(members.threads, launch.block, coordinates);
}

bool part_of_a_warp(const Members& members, const LaunchFacts& launch) {
  return members.lanes && members.lanes->mask != base::lane_mask::full(launch.warp_size);
}

/// The threads within their one block, or an empty text where they are not known.
std::string inside_block(const Members& members, const LaunchFacts& launch) {
  if (members.whole_blocks) return "all threads";
  if (members.threads.empty()) return {};
  if (single(members.threads)) return "thread " + base::triple_text(members.threads[0].first);
  if (part_of_a_warp(members, launch))
    return fmt::format("{} of warp {}", base::lanes_text(members.lanes->mask), members.lanes->warp);
  const std::string warp = members.lanes ? fmt::format(" (warp {})", members.lanes->warp) : std::string();
  return threads_text(members, launch) + warp;
}

}  // namespace

std::string count_text(const Members& members) {
  if (members.unit == record::Unit::host) return "the host";
  if (members.count == 0) return "threads";  // they were not counted
  const bool one_each = members.count > 1 && single(members.threads);
  return base::counted(members.count, members.unit == record::Unit::block || one_each ? "block" : "thread");
}

std::string who_text(const Members& members, const LaunchFacts& launch) {
  if (members.blocks.empty()) return {};
  std::string blocks = "block " + list(members.blocks, launch.grid, coordinates);
  if (members.unit == record::Unit::block) return blocks;
  std::string inside = inside_block(members, launch);
  if (inside.empty()) return "in " + blocks;
  if (base::volume(launch.grid) == 1) return inside;
  if (single(members.blocks)) return inside + " of " + blocks;
  if (members.whole_blocks) return "all of " + blocks;
  return fmt::format("{}, {} of each", blocks, threads_text(members, launch));
}

}  // namespace warpfiber::report
