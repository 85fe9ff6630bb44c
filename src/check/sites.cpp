// SPDX-License-Identifier: Apache-2.0
#include "check/sites.hpp"

#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "check/cell.hpp"

namespace warpfiber::check {
namespace {

struct SiteEntry {
  const void* instruction = nullptr;
  Site call{};
};

struct Register {
  std::mutex mutex;
  std::unordered_map<const void*, unsigned> instructions;
  std::map<std::tuple<const char*, unsigned, unsigned>, unsigned> calls;
  std::vector<SiteEntry> entries{SiteEntry{}};
};

// Never destroyed: kernels may run until the very end of the process.
Register& sites() {
  static Register& all = *new Register;
  return all;
}

/// The number of what `numbers` has at `key`, which is `entry` if it is new.
template <class Numbers, class Key>
unsigned number_in(Register& all, Numbers& numbers, const Key& key, const SiteEntry& entry) {
  const auto found = numbers.find(key);
  if (found != numbers.end()) return found->second;
  if (all.entries.size() >> kSiteBits != 0) return kUnknownSite;
  const auto number = static_cast<unsigned>(all.entries.size());
  all.entries.push_back(entry);
  numbers.emplace(key, number);
  return number;
}

}  // namespace

unsigned number_of_site(const void* instruction) {
  Register& all = sites();
  const std::lock_guard lock(all.mutex);
  return number_in(all, all.instructions, instruction, SiteEntry{instruction, {}});
}

unsigned number_of_site(const Site& call) {
  Register& all = sites();
  const std::lock_guard lock(all.mutex);
  return number_in(all, all.calls, std::tuple(call.file, call.line, call.column), SiteEntry{nullptr, call});
}

const void* instruction_of_site(unsigned number) {
  Register& all = sites();
  const std::lock_guard lock(all.mutex);
  return all.entries[number].instruction;
}

Site call_of_site(unsigned number) {
  Register& all = sites();
  const std::lock_guard lock(all.mutex);
  return all.entries[number].call;
}

}  // namespace warpfiber::check
