// SPDX-License-Identifier: Apache-2.0
//
// Looks the instructions up in debug information, and skips frames of headers that are no user's.
#include "report/locate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "record/stack_depot.hpp"
#include "report/short_name.hpp"
#include "symbols/symboliser.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::report {
namespace {

using record::Place;

/// The functions at an instruction.
symbols::Frames frames_at(const void* instruction) {
  return symbols::Symboliser::of_process().frames(reinterpret_cast<std::uintptr_t>(instruction));
}

/// The user's frames at an instruction, innermost first.
std::vector<Place> user_places(const void* instruction) {
  std::vector<Place> places;
  for (const symbols::Frame& frame : frames_at(instruction)) {
    if (!frame.users) continue;
    places.push_back(frame.place);
    places.back().column = frame.column;
  }
  return places;
}

void locate(Place& place) {
  if (place.known() || place.instruction == nullptr) return;
  place = symbols::user_place(frames_at(place.instruction));
}

void locate(record::ObjectFacts& object) {
  locate(object.declared);
  locate(object.freed);
  if (object.last_write) locate(object.last_write->place);
}

/// The calls that return there, each as its last byte.
std::vector<Place> calls_of(record::StackId returns) {
  std::vector<Place> calls;
  for (const std::uintptr_t address : record::StackDepot::of_process().at(returns))
    calls.push_back({.instruction = reinterpret_cast<const void*>(address - 1)});
  return calls;
}

/// The user's calls; functions that were inlined around one come before those that called them.
std::vector<Place> user_calls(const std::vector<Place>& stack) {
  std::vector<Place> calls;
  for (const Place& call : stack) {
    if (call.known() || call.instruction == nullptr) {
      calls.push_back(call);
      continue;
    }
    for (Place& place : user_places(call.instruction)) calls.push_back(std::move(place));
  }
  return calls;
}

/// The calls of a stack that is used up: there may be thousands, and the innermost ones show how it came to that. The
/// last one is the kernel as a whole, for a thread of which no line is known.
void shorten(std::vector<Place>& stack) {
  constexpr std::size_t kMost = 5;  // the place itself, and four calls
  if (stack.size() > 1) stack.pop_back();
  stack.resize(std::min(stack.size(), kMost));
}

/// Whether a stack begins where its thread is, in or below the function that the place is in, and not at calls of it.
bool begins_at_place(const std::vector<Place>& stack) {
  return !stack.empty() && !stack.front().known() && stack.front().instruction != nullptr;
}

/// The innermost of the user's lines is the party's place, which a call may have given already. Where functions of ours
/// are not inlined, it is among their callers.
void locate(record::Party& party) {
  std::vector<Place> stack = calls_of(std::exchange(party.returns, record::StackId::none));
  stack.insert(stack.end(), party.stack.begin(), party.stack.end());
  for (const record::StackId other : std::exchange(party.other_returns, {}))
    party.other_stacks.push_back(calls_of(other));
  if (!party.place.known() && party.place.instruction != nullptr) {
    stack.insert(stack.begin(), Place{.instruction = party.place.instruction});
    party.place = Place{};
  }
  const bool begins = begins_at_place(stack);
  party.stack = user_calls(stack);
  if (party.role == record::Role::overflow) shorten(party.stack);
  if (begins && !party.stack.empty()) {
    if (!party.place.known()) party.place = party.stack.front();
    party.stack.erase(party.stack.begin());
  }
  std::vector<std::vector<Place>> others;
  for (const std::vector<Place>& one : std::exchange(party.other_stacks, {})) {
    std::vector<Place> other = user_calls(one);
    if (begins_at_place(one) && !other.empty()) other.erase(other.begin());
    if (other != party.stack && std::ranges::find(others, other) == others.end()) others.push_back(std::move(other));
  }
  party.other_stacks = std::move(others);
  if (party.object) locate(*party.object);
  for (record::ObjectFacts& object : party.further) locate(object);
  locate(party.launched);
}

/// The body of a kernel is a lambda where it was translated; of one that g++ has inlined, debug information names no
/// more than the operator.
void name_kernel(Place& place, const std::string& kernel) {
  const std::string name = short_name(place.function);
  if (name == "operator()" || name == kernel + "::{lambda}") place.function = kernel;
}

void name_kernel(record::Party& party, const std::string& kernel) {
  if (kernel.empty() || party.who.unit == record::Unit::host) return;
  name_kernel(party.place, kernel);
  for (Place& call : party.stack) name_kernel(call, kernel);
  for (std::vector<Place>& stack : party.other_stacks) {
    for (Place& call : stack) name_kernel(call, kernel);
  }
}

/// Whether a line of the party is of the program's own code, or none of them is known.
bool has_own_line(const record::Party& party) {
  const auto is_own = [](const Place& place) { return place.known() && !symbols::is_cuda_library(place.file); };
  return !party.place.known() || is_own(party.place) || std::ranges::any_of(party.stack, is_own);
}

/// A party of the finding's own kernel says where that was launched only if all lines are a library's of CUDA code:
/// that one is then the program's.
void drop_launch(std::vector<record::Party>& parties) {
  if (!std::ranges::any_of(parties, has_own_line)) return;
  for (record::Party& party : parties)
    if (party.kernel.empty()) party.launched = {};
}

}  // namespace

void locate(record::Finding& finding) {
  for (record::Party& party : finding.parties) {
    locate(party);
    name_kernel(party, party.kernel.empty() ? finding.launch.kernel : party.kernel);
  }
  drop_launch(finding.parties);
  if (finding.object) locate(*finding.object);
  if (finding.needs_access_at) {
    for (Place& place : *finding.needs_access_at) locate(place);
  }
  if (!finding.order.has_value()) return;
  for (record::PassedBarrier& barrier : finding.order->barriers) locate(barrier.place);
  if (!finding.order->hand_over.has_value()) return;
  for (Place* place : {&finding.order->hand_over->set, &finding.order->hand_over->seen}) {
    locate(*place);
    name_kernel(*place, finding.launch.kernel);
  }
}

std::string frame_text(const symbols::Frame& frame) {
  if (frame.function.empty()) return "unknown code in " + frame.module;
  if (frame.place.known()) return fmt::format("{} at {}:{}", frame.function, frame.place.file, frame.place.line);
  return fmt::format("{} in {} (no line: built without -g)", frame.function, frame.module);
}

}  // namespace warpfiber::report
