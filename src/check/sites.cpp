// SPDX-License-Identifier: Apache-2.0
#include "check/sites.hpp"

#include <mutex>
#include <unordered_map>
#include <vector>

#include "check/cell.hpp"

namespace warpfiber::check {
namespace {

struct Register {
  std::mutex mutex;
  std::unordered_map<const void*, unsigned> numbers;
  std::vector<const void*> instructions{nullptr};
};

// Never destroyed: kernels may run until the very end of the process.
Register& sites() {
  static Register& all = *new Register;
  return all;
}

}  // namespace

unsigned number_of_site(const void* instruction) {
  Register& all = sites();
  const std::lock_guard lock(all.mutex);
  const auto found = all.numbers.find(instruction);
  if (found != all.numbers.end()) return found->second;
  if (all.instructions.size() >> kSiteBits != 0) return kUnknownSite;
  const auto number = static_cast<unsigned>(all.instructions.size());
  all.instructions.push_back(instruction);
  all.numbers.emplace(instruction, number);
  return number;
}

const void* instruction_of_site(unsigned number) {
  Register& all = sites();
  const std::lock_guard lock(all.mutex);
  return all.instructions[number];
}

}  // namespace warpfiber::check
