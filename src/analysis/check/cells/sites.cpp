// SPDX-License-Identifier: Apache-2.0
// One register with a lock; threads keep what they have looked up (SiteCache, Callers).
#include "check/cells/sites.hpp"

#include <array>
#include <atomic>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "check/cells/cell.hpp"
#include "check/cells/check_state.hpp"

namespace warpfiber::check {
namespace {

// The rest is for instructions that no calls lead to.
constexpr std::size_t kMostWithCallers = std::size_t{1} << (kSiteBits - 1);

/// Of numbers with callers; 0 of others. Read wherever two sites are compared.
constinit std::array<std::atomic<std::uint16_t>, std::size_t{1} << kSiteBits> numbers_alone{};

}  // namespace

struct SiteEntry {
  const void* instruction = nullptr;
  Site call{};
  record::StackId callers = record::StackId::none;
};

struct SiteRegister {
  base::Mutex mutex;
  std::unordered_map<const void*, unsigned> instructions WARPFIBER_GUARDED_BY(mutex);
  std::map<std::tuple<const char*, unsigned, unsigned>, unsigned> calls WARPFIBER_GUARDED_BY(mutex);
  std::map<std::pair<unsigned, record::StackId>, unsigned> called WARPFIBER_GUARDED_BY(mutex);
  std::vector<SiteEntry> entries WARPFIBER_GUARDED_BY(mutex){SiteEntry{}};
};

namespace {

SiteRegister& sites() {
  return CheckState::of_process().sites.get();
}

/// The number of what `numbers` has at `key`, which is `entry` if it is new.
template <class Numbers, class Key>
unsigned number_in(SiteRegister& all, Numbers& numbers, const Key& key, const SiteEntry& entry)
    WARPFIBER_REQUIRES(all.mutex) {
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
  SiteRegister& all = sites();
  const base::Lock lock(all.mutex);
  return number_in(all, all.instructions, instruction, SiteEntry{.instruction = instruction});
}

unsigned number_of_site(const Site& call) {
  SiteRegister& all = sites();
  const base::Lock lock(all.mutex);
  return number_in(all, all.calls, std::tuple(call.file, call.line, call.column), SiteEntry{.call = call});
}

unsigned number_of_site(unsigned number, record::StackId callers) {
  SiteRegister& all = sites();
  const base::Lock lock(all.mutex);
  const std::pair key(number, callers);
  if (all.called.size() >= kMostWithCallers && !all.called.contains(key)) return number;
  SiteEntry entry = all.entries[number];
  entry.callers = callers;
  const unsigned found = number_in(all, all.called, key, entry);
  if (found == kUnknownSite) return number;
  numbers_alone[found].store(static_cast<std::uint16_t>(number), std::memory_order_relaxed);
  return found;
}

unsigned alone(unsigned number) {
  const unsigned other = numbers_alone[number].load(std::memory_order_relaxed);
  return other == kUnknownSite ? number : other;
}

record::StackId callers_of_site(unsigned number) {
  SiteRegister& all = sites();
  const base::Lock lock(all.mutex);
  return all.entries[number].callers;
}

const void* instruction_of_site(unsigned number) {
  SiteRegister& all = sites();
  const base::Lock lock(all.mutex);
  return all.entries[number].instruction;
}

Site call_of_site(unsigned number) {
  SiteRegister& all = sites();
  const base::Lock lock(all.mutex);
  return all.entries[number].call;
}

}  // namespace warpfiber::check
