// SPDX-License-Identifier: Apache-2.0
//
// Compares the variables that nobody has set with what the shadow cells say of the launch.
#include "runtime/checking/constant_copies.hpp"

#include <optional>
#include <utility>

#include "check/running/launches.hpp"
#include "device_memory/contents/touches.hpp"
#include "process/variables.hpp"
#include "record/diagnosis.hpp"
#include "runtime/checking/conflicts.hpp"

namespace warpfiber::runtime {

std::vector<record::Finding> unset_constants_of(const record::LaunchOrder& launch) {
  std::vector<record::Finding> made;
  for (const process::DeviceVariable& variable : process::unset_namesakes()) {
    std::optional<device_memory::Touch> first;
    device_memory::for_each_touch(device_memory::area_of(variable.address, variable.bytes),
                                  check::numbers_of_launch(launch.number), [&](const device_memory::Touch& touch) {
                                    if (!first.has_value()) first = touch;
                                  });
    if (!first.has_value()) continue;
    record::Finding finding;
    finding.verdict = record::Verdict::uninit_global;
    finding.severity = record::Severity::warning;
    finding.launch = device_memory::launch_of(*first);
    finding.object = object_of(first->at, first->bytes);
    finding.parties.push_back(device_memory::party_of(*first));
    finding.diagnosis = record::Mistake::constant_copy_not_set;
    made.push_back(std::move(finding));
  }
  return made;
}

}  // namespace warpfiber::runtime
