// SPDX-License-Identifier: Apache-2.0
// Unwinding takes microseconds and is done once for each way that leads to a call; afterwards the return addresses are
// compared where they were found.
#include "engine/convergence/call_paths.hpp"

#include <unwind.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>

namespace warpfiber::engine {
namespace {

constexpr std::size_t kDeepest = 64;  // calls that count
constexpr std::string_view kClaimingLoop = "warpfiber/detail/claim.hpp";

struct Walk {
  const char* from;
  const char* high;
  std::vector<std::uintptr_t> returns{};
  std::vector<const char*> places{};
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  // Of the frame below, so the return address into this one lies just under it.
  const auto* edge = reinterpret_cast<const char*>(_Unwind_GetCFA(context));
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  if (edge <= walk.from + sizeof(void*)) return _URC_NO_REASON;
  if (address == 0 || edge > walk.high || walk.returns.size() == kDeepest) return _URC_NORMAL_STOP;
  walk.returns.push_back(address);
  walk.places.push_back(edge - sizeof(void*));
  return _URC_NO_REASON;
}

// Not a place that AddressSanitizer knows of.
__attribute__((no_sanitize_address)) std::uintptr_t address_at(const char* place) {
  return *reinterpret_cast<const std::uintptr_t*>(place);
}

std::size_t set_number(std::uintptr_t address, std::size_t depth) {
  return (address ^ address >> 9 ^ depth >> 3) * 0x9e3779b97f4a7c15U >> 32;
}

}  // namespace

bool CallPaths::leads_along(const Trail& trail, const char* frame, std::size_t depth) {
  if (trail.path == nullptr) return false;
  const std::vector<std::uintptr_t>& returns = trail.path->returns;
  for (std::size_t i = 0; i < returns.size(); ++i) {
    if (trail.places[i] >= depth || address_at(frame + trail.places[i]) != returns[i]) return false;
  }
  return true;
}

const CallPath* CallPaths::path_to(const char* frame, const char* high) {
  const auto depth = static_cast<std::size_t>(high - frame);
  Set& set = sets_[set_number(address_at(frame + sizeof(void*)), depth) % kSets];
  for (const Trail& trail : set.trails) {
    if (leads_along(trail, frame, depth)) return trail.path;
  }
  Trail& trail = set.trails[set.next++ % kTrailsOfSet];
  Walk walk{frame, high};
  _Unwind_Backtrace(&step, &walk);
  trail = Trail{};
  const CallPath* path = &*paths_.insert(CallPath{walk.returns}).first;
  // Where return addresses are kept elsewhere, every walk is done anew.
  for (std::size_t i = 0; i < walk.places.size(); ++i) {
    if (address_at(walk.places[i]) != walk.returns[i]) return path;
    trail.places.push_back(static_cast<std::uint32_t>(walk.places[i] - frame));
  }
  if (!walk.returns.empty()) trail.path = path;
  return path;
}

bool CallPaths::same(const CallPath& a, const CallPath& b) {
  if (&a == &b) return true;
  const std::vector<Call>& calls = calls_of(a);
  return calls.empty() || calls_of(b).empty() || calls == calls_of(b);
}

bool CallPaths::are_known(const CallPath& a, const CallPath& b) {
  return &a == &b || (!calls_of(a).empty() && !calls_of(b).empty());
}

bool CallPaths::precedes(const CallPath& a, const CallPath& b) {
  if (&a == &b) return false;
  const std::vector<Call>& ours = calls_of(a);
  const std::vector<Call>& theirs = calls_of(b);
  const auto [one, other] = std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end());
  if (one == ours.end() || other == theirs.end() || one->file != other->file) return false;
  return std::tie(one->line, one->column) < std::tie(other->line, other->column);
}

const std::vector<Call>& CallPaths::calls_of(const CallPath& path) {
  if (path.calls) return *path.calls;
  // Reading debug information takes more stack than a fiber may have left.
  try {
    std::thread([&] { path.calls = look_up(path); }).join();
  } catch (const std::system_error&) {
    path.calls.emplace();
  }
  return *path.calls;
}

std::vector<Call> CallPaths::look_up(const CallPath& path) {
  if (symboliser_ == nullptr) symboliser_ = std::make_unique<report::Symboliser>();
  std::vector<Call> calls;
  for (const std::uintptr_t address : path.returns) {
    for (const report::Frame& frame : symboliser_->frames(address - 1)) {
      if (frame.place.file.ends_with(kClaimingLoop)) {
        std::reverse(calls.begin(), calls.end());
        return calls;
      }
      if (!frame.place.known()) return {};
      calls.push_back(Call{frame.place.file, frame.place.line, frame.column});
    }
  }
  return {};
}

}  // namespace warpfiber::engine
