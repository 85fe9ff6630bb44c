// SPDX-License-Identifier: Apache-2.0
//
// What doors need of this process: its environment, where it is installed, and other programs.
#include <cstdlib>
#include <iostream>
#include <warpfiber/device.hpp>
#include <warpfiber/device_file.hpp>

#include "base/environment.hpp"
#include "tools/check/check.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/toolchain.hpp"
#include "tools/options/run_main.hpp"
#include "tools/program/program.hpp"
#include "tools/toolkit/doors.hpp"

namespace warpfiber::tools::toolkit {
namespace {

constexpr unsigned kMost = 64;  // docs/options.md
constexpr unsigned kMib = 1024 * 1024;

std::string variable_or(const char* name, std::string otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr || *text == '\0' ? std::move(otherwise) : text;
}

Machine machine_here() {
  const DeviceLoad load = choose_device(variable_or("WARPFIBER_DEVICE", default_device().name));
  const DeviceModel& model = load.ok() ? load.model : default_device();
  const unsigned long count = std::strtoul(variable_or("WARPFIBER_DEVICES", "1").c_str(), nullptr, 10);
  return {model.full_name, model.compute_major,       model.compute_minor,
          model.sm_count,  model.global_bytes / kMib, count >= 1 && count <= kMost ? static_cast<unsigned>(count) : 1};
}

}  // namespace

int run_door(std::string_view name, const std::vector<std::string>& words) {
  const nvcc::Toolchain toolchain = nvcc::find_toolchain(base::own_program());
  const Opened opened = open(name, words, {machine_here(), program::gdb_program(), toolchain.debugger});
  switch (opened.way) {
    case DoorKind::reply: return print_reply(opened.reply);
    case DoorKind::check: {
      const int status = check::check(opened.words);
      return status == 1 ? opened.status_of_findings : status;
    }
    case DoorKind::start: break;
  }
  std::cerr << opened.reply.err << std::flush;
  nvcc::SpawnOptions spawn;
  spawn.variables = opened.variables;
  spawn.is_program = true;
  return nvcc::run(opened.words, spawn);
}

}  // namespace warpfiber::tools::toolkit
