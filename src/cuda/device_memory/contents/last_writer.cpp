// SPDX-License-Identifier: Apache-2.0
//
// Reads the shadow cells of the byte and turns the last write into words: the kernel, the line and the thread.
#include "device_memory/contents/last_writer.hpp"

#include <optional>

#include "check/running/launches.hpp"
#include "launches/checking/touches.hpp"
#include "process/findings/findings_log.hpp"
#include "record/finding.hpp"
#include "report/locate.hpp"
#include "report/names.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::device_memory {

std::string last_writer(const void* address) {
  if (!process::has_access_hooks() || !launches::is_shadowed(address))
    return report::fixed_text(record::ReasonKind::writer_unknown);
  std::optional<launches::Touch> last;
  launches::for_each_touch(
      launches::area_of(address, 1), check::LaunchSet{}.set(), [&last](const launches::Touch& touch) {
        const auto begun = [](const launches::Touch& of) { return check::launch_shape(of.launch).operation; };
        if (touch.write && (!last || begun(touch) >= begun(*last))) last = touch;
      });
  if (!last) return report::fixed_text(record::ReasonKind::never_written);
  record::Finding found;
  found.launch = launch_of(*last);
  found.parties.push_back(launches::party_of(*last));
  report::locate(found);
  const record::Party& writer = found.parties.front();
  std::string text = found.launch.kernel;
  if (writer.place.known()) text += " at " + writer.place.file + ":" + std::to_string(writer.place.line);
  return text + ", " + report::who_text(writer.who, found.launch);
}

}  // namespace warpfiber::device_memory
