// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber devices`: the models as a table, or one of them in full. Sizes are printed as the vendor gives them: KiB
// of shared memory, GiB of global memory.
#include <fmt/format.h>

#include <iterator>
#include <warpfiber/device.hpp>
#include <warpfiber/device_file.hpp>

#include "tools/command.hpp"

namespace warpfiber::tools {
namespace {

constexpr unsigned kKib = 1024;
constexpr double kGib = 1024.0 * 1024.0 * 1024.0;

std::string table() {
  std::string text = fmt::format("{:<16} {:<28} {:>7} {:>5} {:>11} {:>10} {:>12} {:>10}\n", "name", "device", "compute",
                                 "SMs", "threads/SM", "blocks/SM", "shared/SM", "memory");
  for (const DeviceModel& model : device_models()) {
    fmt::format_to(std::back_inserter(text), "{:<16} {:<28} {:>5}.{} {:>5} {:>11} {:>10} {:>8} KiB {:>6.1f} GiB\n",
                   model.name, model.full_name, model.compute_major, model.compute_minor, model.sm_count,
                   model.max_threads_per_sm, model.max_blocks_per_sm, model.shared_per_sm / kKib,
                   static_cast<double>(model.global_bytes) / kGib);
  }
  fmt::format_to(std::back_inserter(text), "\nWARPFIBER_DEVICE=<name or file> chooses one; without it, {}.\n",
                 default_device().name);
  return text;
}

std::string in_full(const DeviceModel& model) {
  std::string text = fmt::format("{} ({}), compute capability {}.{}\n", model.name, model.full_name,
                                 model.compute_major, model.compute_minor);
  const auto line = [&text](std::string_view what, std::uint64_t number, std::string_view unit) {
    fmt::format_to(std::back_inserter(text), "  {:<36} {:>12} {}\n", what, number, unit);
  };
  line("multiprocessors (SMs)", model.sm_count, "");
  line("threads an SM holds", model.max_threads_per_sm, "");
  line("blocks an SM holds", model.max_blocks_per_sm, "");
  line("registers of an SM", model.registers_per_sm, "x 32 bits");
  line("shared memory of an SM", model.shared_per_sm / kKib, "KiB");
  line("threads of a block", model.max_threads_per_block, "at most");
  line("registers of a thread", model.max_registers_per_thread, "at most");
  line("shared memory of a block", model.shared_per_block / kKib, "KiB");
  line("shared memory of a block, on request", model.shared_per_block_optin / kKib, "KiB");
  line("blocks of a cluster", model.max_cluster_blocks_portable, model.has_clusters() ? "portably" : "(no clusters)");
  line("global memory", model.global_bytes / kKib / kKib, "MiB");
  return text;
}

}  // namespace

Reply devices(const std::string& name_or_file) {
  if (name_or_file.empty()) return {0, table(), ""};
  const DeviceLoad load = choose_device(name_or_file);
  return load.ok() ? Reply{0, in_full(load.model), ""} : Reply{1, "", "warpfiber: " + load.message + "\n"};
}

}  // namespace warpfiber::tools
