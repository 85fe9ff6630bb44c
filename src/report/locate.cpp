// SPDX-License-Identifier: Apache-2.0
//
// Looks the instructions up in debug information, and skips frames of headers that are no user's.
#include "report/locate.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "report/short_name.hpp"

namespace warpfiber::report {
namespace {

using record::Place;

/// The header that every installation of this library has next to those of CUDA's names.
constexpr std::string_view kOwnHeader = "/include/warpfiber/detail/site.hpp";

/// Whether the folder above "/include/" is an installation or a build tree of this library. A user may have folders of
/// these names, too.
bool is_ours(const std::string& prefix) {
  static std::mutex mutex;
  static std::map<std::string, bool>& known = *new std::map<std::string, bool>;
  const std::lock_guard lock(mutex);
  const auto [entry, fresh] = known.try_emplace(prefix);
  std::error_code ignored;  // what cannot be looked at is the user's
  if (fresh) entry->second = std::filesystem::exists(prefix + std::string(kOwnHeader), ignored);
  return entry->second;
}

bool is_own_header(const std::string& file, const std::string& started_in) {
  constexpr std::array<std::string_view, 3> kFolders{"/include/warpfiber/", "/include/warpfiber-cuda/",
                                                     "/include/cuda/"};
  // clang names files below the folder that it was started in without that folder.
  const std::string whole = (std::filesystem::path(started_in) / file).string();
  return std::ranges::any_of(kFolders, [&](std::string_view folder) {
    const std::size_t at = whole.rfind(folder);
    return at != std::string::npos && is_ours(whole.substr(0, at));
  });
}

bool is_system_header(const std::string& file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/");
}

/// The C library, whose debug information may be installed, and names no folder of its own.
bool is_system_library(std::string_view module) {
  constexpr std::array<std::string_view, 6> kNames{"libc.so",      "libm.so",     "libpthread.so",
                                                   "libstdc++.so", "libgcc_s.so", "ld-linux"};
  const std::string_view name = module.substr(module.rfind('/') + 1);
  return std::ranges::any_of(kNames, [name](std::string_view one) { return name.starts_with(one); });
}

/// The folder of the library's own sources, as debug information names it.
std::string_view own_sources() {
  constexpr std::string_view kThis = __FILE__;
  return kThis.substr(0, kThis.rfind("report/"));
}

Place place_of_frame(const Frame& frame) {
  Place place = frame.place;
  place.function = frame.function;
  return place;
}

/// The user's frames at an instruction, innermost first.
std::vector<Place> user_places(const void* instruction, Symboliser& symboliser) {
  std::vector<Place> places;
  for (const Frame& frame : symboliser.frames(reinterpret_cast<std::uintptr_t>(instruction)))
    if (is_user_frame(frame)) places.push_back(place_of_frame(frame));
  return places;
}

void locate(Place& place, Symboliser& symboliser) {
  if (place.known() || place.instruction == nullptr) return;
  place = user_place(symboliser.frames(reinterpret_cast<std::uintptr_t>(place.instruction)));
}

void locate(record::ObjectFacts& object, Symboliser& symboliser) {
  locate(object.declared, symboliser);
  locate(object.freed, symboliser);
  if (object.last_write) locate(object.last_write->place, symboliser);
}

/// The user's calls; functions that were inlined around one come before those that called them.
std::vector<Place> user_calls(const std::vector<Place>& stack, Symboliser& symboliser) {
  std::vector<Place> calls;
  for (const Place& call : stack) {
    if (call.known() || call.instruction == nullptr) {
      calls.push_back(call);
      continue;
    }
    for (Place& place : user_places(call.instruction, symboliser)) calls.push_back(std::move(place));
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
void locate(record::Party& party, Symboliser& symboliser) {
  std::vector<Place> stack = party.stack;
  if (!party.place.known() && party.place.instruction != nullptr) {
    stack.insert(stack.begin(), Place{.instruction = party.place.instruction});
    party.place = Place{};
  }
  const bool begins = begins_at_place(stack);
  party.stack = user_calls(stack, symboliser);
  if (party.role == record::Role::overflow) shorten(party.stack);
  if (begins && !party.stack.empty()) {
    if (!party.place.known()) party.place = party.stack.front();
    party.stack.erase(party.stack.begin());
  }
  std::vector<std::vector<Place>> others;
  for (const std::vector<Place>& one : std::exchange(party.other_stacks, {})) {
    std::vector<Place> other = user_calls(one, symboliser);
    if (begins_at_place(one) && !other.empty()) other.erase(other.begin());
    if (other != party.stack && std::ranges::find(others, other) == others.end()) others.push_back(std::move(other));
  }
  party.other_stacks = std::move(others);
  if (party.object) locate(*party.object, symboliser);
  locate(party.launched, symboliser);
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

}  // namespace

bool is_user_frame(const Frame& frame) {
  const std::string& file = frame.place.file;
  // AddressSanitizer's, in front of a function of the C library; a program that is built with it contains them.
  if (file.find("sanitizer_common") != std::string::npos) return false;
  return frame.place.known() && !file.starts_with(own_sources()) && !is_system_header(file) &&
         !is_system_library(frame.module) && !is_own_header(file, frame.folder);
}

record::Place user_place(std::span<const Frame> frames) {
  const auto found = std::ranges::find_if(frames, is_user_frame);
  return found == frames.end() ? Place{} : place_of_frame(*found);
}

void locate(record::Finding& finding, Symboliser& symboliser) {
  for (record::Party& party : finding.parties) {
    locate(party, symboliser);
    name_kernel(party, party.kernel.empty() ? finding.launch.kernel : party.kernel);
  }
  if (finding.object) locate(*finding.object, symboliser);
  if (finding.needs_access_at) {
    for (Place& place : *finding.needs_access_at) locate(place, symboliser);
  }
  if (!finding.order.has_value()) return;
  for (record::PassedBarrier& barrier : finding.order->barriers) locate(barrier.place, symboliser);
  if (!finding.order->hand_over.has_value()) return;
  locate(finding.order->hand_over->set, symboliser);
  locate(finding.order->hand_over->seen, symboliser);
}

}  // namespace warpfiber::report
