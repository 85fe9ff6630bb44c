// SPDX-License-Identifier: Apache-2.0
//
// `warpfiber occupancy`: what cudaOccupancyMaxActiveBlocksPerMultiprocessor says of a kernel on a device model, with
// the limit that stops the next block and what follows for a cooperative grid.
#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <warpfiber/device_file.hpp>
#include <warpfiber/occupancy.hpp>

#include "tools/command.hpp"
#include "tools/manual/command_line.hpp"
#include "tools/manual/options.hpp"

namespace warpfiber::tools {
namespace {

struct OccupancyRequest {
  std::string device;  // name or file; empty for the default
  KernelAttributes kernel;
  unsigned block = 0;              // threads
  std::size_t dynamic_shared = 0;  // bytes
};

template <auto kMember>
std::string read_attribute(OccupancyRequest& to, const std::string& value) {
  auto& number = to.kernel.*kMember;
  return read_number(value, 0, std::numeric_limits<std::remove_reference_t<decltype(number)>>::max(), number);
}

constexpr OptionReader<OccupancyRequest> kReaders[] = {
    {"--block", read_count<&OccupancyRequest::block, 1>},
    {"--device", read_text<&OccupancyRequest::device>},
    {"--registers", read_attribute<&KernelAttributes::registers_per_thread>},
    {"--shared", read_attribute<&KernelAttributes::static_shared>},
    {"--dynamic-shared", read_count<&OccupancyRequest::dynamic_shared, 0>},
};
static_assert(have_readers(manual::kOccupancyOptions, kReaders));

std::string describe(const DeviceModel& device, const OccupancyRequest& request) {
  // The question is what fits, so the kernel counts as one that has asked for all the shared memory there is.
  KernelAttributes kernel = request.kernel;
  kernel.max_dynamic_shared = device.shared_per_block_optin;
  const Occupancy found = warpfiber::occupancy(device, kernel, request.block, request.dynamic_shared);
  const unsigned warps = found.blocks_per_sm * found.warps_per_block;
  return fmt::format(
      "blocks of {} threads on {}\n"
      "  blocks on an SM     {:>8}  limited by {}\n"
      "  warps on an SM      {:>8}  of {}\n"
      "  cooperative launch  {:>8}  blocks at most\n",
      request.block, device.name, found.blocks_per_sm, limit_name(found.limit), warps, device.max_warps_per_sm(),
      max_cooperative_blocks(device, kernel, request.block, request.dynamic_shared));
}

}  // namespace

Reply occupancy(const std::vector<std::string>& words) {
  OccupancyRequest request;
  if (auto reply = manual::parse_words(*manual::find_subcommand("occupancy"), kReaders, words, request)) return *reply;
  if (request.block == 0) return manual::wrong_usage("occupancy", "--block is required");
  const DeviceLoad load =
      request.device.empty() ? DeviceLoad{default_device(), Error::success, ""} : choose_device(request.device);
  return load.ok() ? Reply{0, describe(load.model, request), ""} : Reply{1, "", "warpfiber: " + load.message + "\n"};
}

}  // namespace warpfiber::tools
