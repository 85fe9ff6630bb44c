// SPDX-License-Identifier: Apache-2.0
//
// What one run leaves for another: schedules, with all decisions or with switches only, recordings of `crosscheck` and
// of `warpfiber-dev fuzz`. Input: the text of such a file; the first line says of which kind. The last two end in a
// hash, which no mutation meets, so they are also read with the right one behind them. Holds: a file is read or refused
// with a sentence. What was read is the same after it is written and read again.
#include <zlib.h>

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <warpfiber/crosscheck/copy_log.hpp>

#include "fuzz_targets/targets.hpp"
#include "schedule/recording.hpp"
#include "schedule/switches.hpp"
#include "tools/crosscheck/recording.hpp"
#include "tools/fuzz/recordings.hpp"

namespace warpfiber::fuzz_targets {
namespace {

void decisions(std::string_view input) {
  std::istringstream in{std::string(input)};
  const auto read = schedule::read_recording(in, "run.schedule");
  if (!read.ok()) return;
  std::stringstream written;
  schedule::write_recording(written, read.value());
  const auto again = schedule::read_recording(written, "again.schedule");
  require(again.ok() && again.value() == read.value(), "decisions are other ones when they are read again");
  require(!schedule::first_difference(read.value(), again.value()), "equal runs differ");
  schedule::switches_of(read.value(), 1);
}

void switches(std::string_view input) {
  std::istringstream in{std::string(input)};
  const auto read = schedule::read_switches(in, "run.schedule");
  if (!read.ok()) return;
  std::stringstream written;
  schedule::write_switches(written, read.value());
  const auto again = schedule::read_switches(written, "again.schedule");
  require(again.ok() && again.value() == read.value(), "switches are other ones when they are read again");
}

std::string text_of(const tools::crosscheck::Copy& copy) {
  const auto known = [](const std::string& word) { return word.empty() ? "-" : word; };
  std::string text = fmt::format("{} {} {} {} {} {} {} {:016x} {} {}\n", copy.managed ? "managed" : "copy",
                                 copy.ordinal, copy.function, copy.width, copy.rows, copy.slices, copy.bytes.size(),
                                 copy.hash, known(copy.type), known(copy.place));
  text += copy.bytes + "\n";
  return copy.writer.empty() ? text : text + "writer " + copy.writer + "\n";
}

std::string with_hash(std::string text) {
  text += "end ";
  return text + fmt::format("{:016x}\n", crosscheck::hash_of(text.data(), text.size()));
}

/// As share/crosscheck/recorder.cpp writes it.
std::string text_of(const tools::crosscheck::GpuRecording& recording) {
  std::string copies;
  for (const auto& copy : recording.copies) copies += text_of(copy);
  const nlohmann::json head = {{"program", recording.program},     {"source", recording.source},
                               {"options", recording.options},     {"arguments", recording.arguments},
                               {"device", recording.device},       {"capability", recording.capability},
                               {"driver", recording.driver},       {"toolkit", recording.toolkit},
                               {"exit_code", recording.exit_code}, {"stdout_bytes", recording.output.size()},
                               {"copies_bytes", copies.size()}};
  return with_hash("warpfiber-recording 1\n" + head.dump() + "\n" + recording.output + copies + "\n");
}

void crosschecked(const std::string& text) {
  const auto read = tools::crosscheck::parse_recording(text);
  if (!read.ok()) return;
  tools::crosscheck::origin_of(read.value());
  for (const auto& copy : read.value().copies) tools::crosscheck::name_of(copy);
  const std::string written = text_of(read.value());
  const auto again = tools::crosscheck::parse_recording(written);
  require(again.ok(), "a recording cannot be read again: " + again.error());
  require(text_of(again.value()) == written, "a recording is another one when it is read again");
}

std::string with_checksum(std::string bytes) {
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(sum >> 8 * i & 0xff));
  return bytes;
}

void fuzzed(const std::string& bytes) {
  tools::fuzz::Recordings read;
  if (!tools::fuzz::parse_recordings(bytes, read).empty()) return;
  const std::string written = tools::fuzz::recordings_text(read);
  tools::fuzz::Recordings again;
  require(tools::fuzz::parse_recordings(written, again).empty(), "recordings cannot be read again");
  require(tools::fuzz::recordings_text(again) == written, "recordings are other ones when they are read again");
  require(!read.has(read.first_seed) || read.of(read.first_seed).has_result() == !read.programs[0].nodes.empty(),
          "a program has another result");
}

}  // namespace

void recordings(std::string_view input) {
  const std::string text(input);
  decisions(input);
  if (input.starts_with(schedule::kSwitchesFirstLine)) switches(input.substr(schedule::kSwitchesFirstLine.size()));
  crosschecked(text);
  crosschecked(with_hash(text));
  fuzzed(text);
  fuzzed(with_checksum(text));
}

}  // namespace warpfiber::fuzz_targets
