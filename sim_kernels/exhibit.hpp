// SPDX-License-Identifier: Apache-2.0
// What every kernel of the gallery is run with and what a run returns. An exhibit is a function from a Setting to a
// Record: it makes its input, launches its kernel through a Trial, and compares with a sequential reference of its own.
// Valid under nvcc as well, where only the counting of barriers is missing.
#pragma once

#include <warpfiber/warpfiber.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gallery {

/// How large an exhibit is and how it is run. What `size` counts is said in the header of each kernel.
struct Setting {
  std::size_t size = 0;
  unsigned grid = 0;  // blocks, where the kernel takes any number of them; 0: as many as the elements need
  unsigned block = 256;
  unsigned cluster = 1;
  std::string data = {};                // folder of the shipped input, for exhibits that read some
  warpfiber::LaunchConfig engine = {};  // device, workers, policy, seed, convergence; its shape is ignored
};

/// How a run ended.
struct Record {
  bool passed = false;
  std::string result;
  std::string reference;
  std::string finding;  // id of what was found in the kernel, empty if nothing was
  std::string message;  // the report that goes with it, or why the launch was refused
  std::uint64_t threads = 0;
  std::optional<std::uint64_t> barriers;  // phases of all barriers, where the launch tells
  double milliseconds = 0;                // wall time of the launches
};

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// 1048576 as "1,048,576".
std::string grouped(std::uint64_t number);

/// Blocks of `block` threads that give each of `count` elements a thread.
inline unsigned covering_blocks(std::size_t count, unsigned block) {
  return static_cast<unsigned>((count + block - 1) / block);
}

/// `count` numbers in [0, below), the same for the same seed (the generator is Marsaglia's xorshift32).
template <class T>
std::vector<T> sample(std::size_t count, std::uint32_t seed, std::uint32_t below) {
  std::vector<T> values;
  values.reserve(count);
  std::uint32_t state = seed * 2654435769U + 1;
  for (std::size_t i = 0; i < count; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    values.push_back(static_cast<T>(state % below));
  }
  return values;
}

/// How many blocks of a kernel can be resident at once on the setting's device: the largest cooperative grid.
#ifdef __CUDACC__
template <auto Kernel>
unsigned resident_blocks(const Setting& /*setting*/, unsigned block, std::size_t dynamic_shared) {
  int blocks_per_sm = 0;
  int sms = 0;
  cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(dynamic_shared));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, Kernel, static_cast<int>(block), dynamic_shared);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  return static_cast<unsigned>(blocks_per_sm * sms);
}
#else
template <auto Kernel>
unsigned resident_blocks(const Setting& setting, unsigned block, std::size_t dynamic_shared) {
  const warpfiber::DeviceModel* device = setting.engine.device;
  const warpfiber::KernelAttributes kernel{.max_dynamic_shared = dynamic_shared};
  return static_cast<unsigned>(warpfiber::max_cooperative_blocks(
      device != nullptr ? *device : warpfiber::default_device(), kernel, block, dynamic_shared));
}
#endif

/// One run of an exhibit: launches kernels under its setting and keeps the accounts.
class Trial {
 public:
  explicit Trial(const Setting& setting) : engine_(setting.engine) {}

  /// Launches with the shape of `config` and the engine options of the setting; false if that failed. After a failure
  /// further launches are not made.
  template <auto Kernel, class... Arguments>
  bool launch(warpfiber::LaunchConfig config, const Arguments&... arguments) {
    if (failed_) return false;
    take_options(config);
    const auto start = std::chrono::steady_clock::now();
    const warpfiber::LaunchResult result = warpfiber::launch<Kernel>(config, arguments...);
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    record_.milliseconds += wall.count();
    record_.threads +=
        std::uint64_t{config.grid.x} * config.grid.y * config.grid.z * config.block.x * config.block.y * config.block.z;
    count_barriers(result);
    if (!result.ok()) note_failure(result.finding(), result.message());
    return result.ok();
  }

  bool failed() const { return failed_; }

  /// The record of a run whose outcome is told by two texts; it passes if no launch failed and `same`.
  Record conclude(const std::string& result, const std::string& reference, bool same);

  /// The record of a run whose outcome is an array, which has to equal `reference`.
  template <class T>
  Record compare(const std::vector<T>& result, const std::vector<T>& reference) {
    if (const std::optional<std::size_t> place = first_difference(result, reference)) {
      return conclude(element(result, *place), element(reference, *place), false);
    }
    return conclude("sum " + number(total(result)), "sum " + number(total(reference)), true);
  }

 private:
  void take_options(warpfiber::LaunchConfig& config) const;
  void note_failure(const char* finding, const char* message);

  template <class Result>
  void count_barriers(const Result& result) {
    if constexpr (requires { result.barriers(); }) record_.barriers = record_.barriers.value_or(0) + result.barriers();
  }

  template <class T>
  static std::optional<std::size_t> first_difference(const std::vector<T>& a, const std::vector<T>& b) {
    const std::size_t count = a.size() < b.size() ? a.size() : b.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (a[i] != b[i]) return i;
    }
    if (a.size() != b.size()) return count;
    return std::nullopt;
  }
  template <class T>
  static std::string element(const std::vector<T>& values, std::size_t place) {
    return "[" + std::to_string(place) + "] " +
           (place < values.size() ? number(static_cast<double>(values[place])) : std::string("missing"));
  }
  template <class T>
  static double total(const std::vector<T>& values) {
    double sum = 0;
    for (const T& value : values) sum += static_cast<double>(value);
    return sum;
  }
  static std::string number(double value);

  warpfiber::LaunchConfig engine_;
  Record record_;
  bool failed_ = false;
};

}  // namespace gallery
