// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "report/short_name.hpp"
#include "report/symbolise.hpp"

namespace warpfiber::runtime {
namespace {

struct Known {
  std::mutex mutex;
  std::map<const void*, KernelAttributes> kernels;
};

Known& known() {
  static Known instance;
  return instance;
}

/// A callable is known by the loop that was made for it, whose name says nothing to a user.
std::string name_of(const std::string& function) {
  return function.find("::run_threads<") == std::string::npos ? report::short_name(function) : "lambda";
}

}  // namespace

std::string kernel_name(const void* address) {
  report::Symboliser symboliser;
  for (const report::Frame& frame : symboliser.frames(reinterpret_cast<std::uintptr_t>(address))) {
    if (!frame.function.empty() && !frame.inlined) return name_of(frame.function);
  }
  return "kernel";
}

KernelAttributes attributes_of(const void* address) {
  Known& place = known();
  const std::lock_guard lock(place.mutex);
  const auto found = place.kernels.find(address);
  return found == place.kernels.end() ? KernelAttributes{} : found->second;
}

void learn_static_shared(const void* address, std::size_t bytes) {
  if (bytes == 0) return;
  Known& place = known();
  const std::lock_guard lock(place.mutex);
  KernelAttributes& attributes = place.kernels[address];
  attributes.static_shared = std::max(attributes.static_shared, bytes);
}

}  // namespace warpfiber::runtime
