// SPDX-License-Identifier: Apache-2.0
//
// Writes the bytes of trivially copyable types, each vector behind its length, and reads them back. A file that ends
// early is an error.
#include "tools/fuzz/outcomes.hpp"

#include <fstream>
#include <type_traits>

namespace warpfiber::tools::fuzz {
namespace {

template <class T>
void put(std::ofstream& file, const T* values, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>, "written as it lies in memory");
  file.write(reinterpret_cast<const char*>(&count), sizeof count);
  file.write(reinterpret_cast<const char*>(values), std::streamsize(count * sizeof(T)));
}

/// A vector or string that put() has written. False where the file ends before.
template <class Sequence>
bool take(std::ifstream& file, Sequence& to) {
  std::size_t count = 0;
  if (!file.read(reinterpret_cast<char*>(&count), sizeof count) || count > kMaxEvents * 8 * kMaxThreads) return false;
  to.resize(count);
  file.read(reinterpret_cast<char*>(to.data()), std::streamsize(count * sizeof(to[0])));
  return file.good();
}

std::string cut_short(const std::string& path) {
  return path + ": cannot be read, or ends too early";
}

}  // namespace

bool write_programs(const std::string& path, const std::vector<Flat>& programs) {
  std::ofstream file(path, std::ios::binary);
  put(file, programs.data(), programs.size());
  file.close();
  return file.good();
}

std::string read_programs(const std::string& path, std::vector<Flat>& to) {
  std::ifstream file(path, std::ios::binary);
  return take(file, to) ? std::string() : cut_short(path);
}

bool write_outcomes(const std::string& path, const std::vector<Outcome>& outcomes) {
  std::ofstream file(path, std::ios::binary);
  const std::size_t count = outcomes.size();
  put(file, &count, 1);
  for (const Outcome& outcome : outcomes) {
    put(file, outcome.error.data(), outcome.error.size());
    const std::uint64_t numbers[] = {outcome.digest, outcome.threads.size()};
    put(file, numbers, 2);
    for (const std::vector<NodeEvent>& events : outcome.threads) put(file, events.data(), events.size());
  }
  file.close();
  return file.good();
}

std::string read_outcomes(const std::string& path, std::vector<Outcome>& to) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::size_t> count;
  if (!take(file, count) || count.size() != 1) return cut_short(path);
  for (std::size_t i = 0; i < count[0]; ++i) {
    Outcome outcome;
    std::vector<std::uint64_t> numbers;
    if (!take(file, outcome.error) || !take(file, numbers) || numbers.size() != 2) return cut_short(path);
    outcome.digest = numbers[0];
    outcome.threads.resize(numbers[1]);
    for (std::vector<NodeEvent>& events : outcome.threads) {
      if (!take(file, events)) return cut_short(path);
    }
    to.push_back(std::move(outcome));
  }
  return {};
}

}  // namespace warpfiber::tools::fuzz
