// SPDX-License-Identifier: Apache-2.0
//
// Device files. Input: the text of one.
// Holds: it is a model or a sentence. A model is the same when it is written in full and read again, and the arithmetic
// of launches and occupancy has an answer for it, which agrees with itself.
#include <warpfiber/device_file.hpp>
#include <warpfiber/occupancy.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "device/fields.hpp"
#include "device/launch_check.hpp"
#include "fuzz_targets/targets.hpp"

namespace warpfiber::fuzz_targets {
namespace {

std::string in_full(DeviceModel model) {
  nlohmann::json file = {{"name", model.name}, {"full_name", model.full_name}, {"global_bytes", model.global_bytes}};
  for (const auto& field : device::number_fields()) file[field.key] = model.*field.at;
  for (const auto& field : device::flag_fields()) file[field.key] = model.*field.at;
  for (const auto& field : device::list_fields()) {
    const unsigned* items = field.items(model);
    file[field.key] = std::vector<unsigned>(items, items + model.*field.count);
  }
  return file.dump();
}

void check_launch(const DeviceModel& model, const KernelAttributes& kernel, unsigned threads, unsigned cluster) {
  device::LaunchShape shape;
  shape.grid = {cluster * 3, 1, 1};
  shape.block = {threads, 1, 1};
  if (cluster > 1) shape.cluster = {cluster, 1, 1};
  shape.dynamic_shared = model.shared_per_block / 3;
  shape.cooperative = cluster == 1;
  const device::LaunchCheck answer = device::check_launch(model, kernel, shape);
  require(answer.ok() == answer.reason.empty(), "a launch is refused without a reason");
  require(!answer.ok() || device::resident_blocks(model, kernel, shape) > 0, "a launch is accepted that cannot run");
}

void check_occupancy(const DeviceModel& model, const KernelAttributes& kernel, unsigned threads) {
  const Occupancy answer = occupancy(model, kernel, threads, model.shared_per_block / 2);
  require(answer.blocks_per_sm <= model.max_blocks_per_sm, "an SM holds more blocks than it can");
  require(std::uint64_t{answer.blocks_per_sm} * threads <= model.max_threads_per_sm, "an SM holds too many threads");
  require(std::uint64_t{answer.blocks_per_sm} * answer.shared_per_block <= model.shared_per_sm,
          "an SM holds more shared memory than it has");
  const std::size_t left = available_dynamic_shared(model, kernel, 1, threads);
  require(left <= model.shared_per_block_optin, "a block may have more shared memory than there is");
  require(max_active_clusters(model, kernel, 2, threads, 0) <= model.sm_count * std::uint64_t{model.max_blocks_per_sm},
          "there are more clusters than blocks");
}

void check_model(const DeviceModel& model) {
  for (const unsigned registers : {0U, 32U, 255U}) {
    KernelAttributes kernel;
    kernel.registers_per_thread = registers;
    kernel.non_portable_cluster = registers == 32;
    for (const unsigned threads : {1U, model.warp_size, 1024U, model.max_threads_per_block}) {
      check_occupancy(model, kernel, threads);
      check_launch(model, kernel, threads, 1);
      check_launch(model, kernel, threads, 2);
    }
    const LaunchSuggestion suggestion = potential_block_size(model, kernel);
    require(suggestion.block <= model.max_threads_per_block, "a block is suggested that is too large");
    max_potential_cluster_blocks(model, kernel, model.warp_size, 0);
  }
}

}  // namespace

void device_file(std::string_view input) {
  const DeviceLoad load = parse_device(input, "gpu.json");
  require(load.ok() == load.message.empty(), "there is a model and an error, or neither");
  if (!load.ok()) return;
  const DeviceLoad again = parse_device(in_full(load.model), "again.json");
  require(again.ok(), "a model cannot be read again: " + again.message);
  require(again.model == load.model, "a model is another one when it is read again");
  check_model(load.model);
}

}  // namespace warpfiber::fuzz_targets
