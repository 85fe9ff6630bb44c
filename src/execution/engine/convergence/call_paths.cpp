// SPDX-License-Identifier: Apache-2.0
// Unwinding takes microseconds and is done once for each way that leads to a call; afterwards the return addresses are
// compared where they were found.
#include "engine/convergence/call_paths.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "engine/state/large_stack.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::engine {
namespace {

constexpr std::size_t kDeepest = 64;  // calls that count

bool is_claiming_loop(const std::string& file) {
  return file.ends_with("warpfiber/detail/lanes/fiber_rows.hpp") ||
         file.ends_with("warpfiber/detail/lanes/checked_rows.hpp");
}

std::size_t set_number(std::uintptr_t address, std::size_t depth) {
  return (address ^ address >> 9 ^ depth >> 3) * 0x9e3779b97f4a7c15U >> 32;
}

/// Empty where not all of them are known up to the kernel.
std::vector<SourceCall> look_up(const CallPath& path) {
  std::vector<SourceCall> calls;
  for (const std::uintptr_t address : record::StackDepot::of_process().at(path.stack)) {
    for (const symbols::Frame& frame : symbols::Symboliser::of_process().frames(address - 1)) {
      if (is_claiming_loop(frame.place.file)) {
        std::reverse(calls.begin(), calls.end());
        return calls;
      }
      if (!frame.place.known()) return {};
      calls.push_back(SourceCall{frame.place.file, frame.place.line, frame.column});
    }
  }
  return {};
}

}  // namespace

CallPaths::Way CallPaths::way_to(const char* frame, const char* high) {
  const auto depth = static_cast<std::size_t>(high - frame);
  Set& set = sets_[set_number(fiber::address_at(frame + sizeof(void*)), depth) % kSets];
  for (const Known& known : set.known) {
    if (!known.trail.leads_from(frame, depth)) continue;
    latest_ = &known;
    return {known.path, &known.trail};
  }
  Known& known = set.known[set.next++ % kTrailsOfSet];
  const fiber::Returns found = fiber::walk({.frame = frame, .high = high, .most = kDeepest});
  // Where return addresses are kept elsewhere, every walk is done anew.
  const record::StackId stack = record::StackDepot::of_process().add(found.addresses);
  known = Known{fiber::Trail(found, frame), &paths_.try_emplace(stack, CallPath{stack}).first->second};
  latest_ = &known;
  return {known.path, &known.trail};
}

bool CallPaths::same(const CallPath& a, const CallPath& b) {
  if (&a == &b) return true;
  const std::vector<SourceCall>& calls = calls_of(a);
  return calls.empty() || calls_of(b).empty() || calls == calls_of(b);
}

bool CallPaths::are_known(const CallPath& a, const CallPath& b) {
  return &a == &b || (!calls_of(a).empty() && !calls_of(b).empty());
}

bool CallPaths::precedes(const CallPath& a, const CallPath& b) {
  if (&a == &b) return false;
  const std::vector<SourceCall>& ours = calls_of(a);
  const std::vector<SourceCall>& theirs = calls_of(b);
  const auto [one, other] = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
  if (one == ours.end() || other == theirs.end() || one->file != other->file) return false;
  return std::tie(one->line, one->column) < std::tie(other->line, other->column);
}

const std::vector<SourceCall>& CallPaths::calls_of(const CallPath& path) {
  if (path.calls) return *path.calls;
  // Reading debug information takes more stack than a fiber may have left.
  if (!run_on_large_stack([&] { path.calls = look_up(path); })) path.calls.emplace();
  return *path.calls;
}

}  // namespace warpfiber::engine
