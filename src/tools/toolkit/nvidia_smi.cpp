// SPDX-License-Identifier: Apache-2.0
//
// The fields that scripts query, and the table for people.
#include "tools/toolkit/nvidia_smi.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "process/settings/visible_devices.hpp"

namespace warpfiber::tools::toolkit {
namespace {

std::string uuid(unsigned number) {
  return process::uuid_text(process::uuid_of(static_cast<int>(number)));
}

DoorWords split(std::string_view text) {
  DoorWords parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

struct Field {
  std::string_view name;
  std::string_view unit;
  std::string (*value)(const Machine& machine, unsigned number);
};

std::string memory(const Machine& machine, unsigned /*number*/) {
  return std::to_string(machine.memory_mib);
}
std::string name(const Machine& machine, unsigned /*number*/) {
  return machine.name;
}
std::string uuid_of_device(const Machine& /*machine*/, unsigned number) {
  return uuid(number);
}

// "nvidia-smi --help-query-gpu"
constexpr Field kFields[] = {
    {"index", "", [](const Machine&, unsigned number) { return std::to_string(number); }},
    {"count", "", [](const Machine& machine, unsigned) { return std::to_string(machine.count); }},
    {"name", "", name},
    {"gpu_name", "", name},
    {"uuid", "", uuid_of_device},
    {"gpu_uuid", "", uuid_of_device},
    {"compute_cap", "",
     [](const Machine& machine, unsigned) {
       return fmt::format("{}.{}", machine.compute_major, machine.compute_minor);
     }},
    {"memory.total", "MiB", memory},
    {"memory.free", "MiB", memory},
    {"memory.used", "MiB", [](const Machine&, unsigned) { return std::string("0"); }},
    {"utilization.gpu", "%", [](const Machine&, unsigned) { return std::string("0"); }},
};

struct Query {
  bool header = true;
  bool units = true;
};

std::string line_of(const DoorWords& fields, const Query& query, const Machine& machine, unsigned number) {
  DoorWords values;
  for (const std::string& word : fields) {
    const auto* const field = std::ranges::find(kFields, word, &Field::name);
    if (field == std::end(kFields)) {
      values.emplace_back("[N/A]");
    } else {
      const std::string value = field->value(machine, number);
      values.push_back(field->unit.empty() || !query.units ? value : fmt::format("{} {}", value, field->unit));
    }
  }
  return fmt::format("{}\n", fmt::join(values, ", "));
}

std::string header_of(const DoorWords& fields, const Query& query) {
  DoorWords names;
  for (const std::string& word : fields) {
    const auto* const field = std::ranges::find(kFields, word, &Field::name);
    const bool has_unit = query.units && field != std::end(kFields) && !field->unit.empty();
    names.push_back(has_unit ? fmt::format("{} [{}]", word, field->unit) : word);
  }
  return fmt::format("{}\n", fmt::join(names, ", "));
}

std::string queried(const DoorWords& fields, std::string_view format, const Machine& machine) {
  const DoorWords words = split(format);
  const Query query{std::ranges::find(words, "noheader") == words.end(),
                    std::ranges::find(words, "nounits") == words.end()};
  std::string text = query.header ? header_of(fields, query) : "";
  for (unsigned number = 0; number < machine.count; ++number) text += line_of(fields, query, machine, number);
  return text;
}

std::string list(const Machine& machine) {
  std::string text;
  for (unsigned number = 0; number < machine.count; ++number)
    fmt::format_to(std::back_inserter(text), "GPU {}: {} (UUID: {})\n", number, machine.name, uuid(number));
  return text;
}

std::string table(const Machine& machine) {
  std::string text = fmt::format("Warpfiber {}: no GPU, but {} of this model, simulated\n\n", WARPFIBER_VERSION,
                                 machine.count == 1 ? "one device" : fmt::format("{} devices", machine.count));
  fmt::format_to(std::back_inserter(text), "{:>3}  {:<28} {:>7} {:>5} {:>12}\n", "GPU", "name", "compute", "SMs",
                 "memory");
  for (unsigned number = 0; number < machine.count; ++number)
    fmt::format_to(std::back_inserter(text), "{:>3}  {:<28} {:>5}.{} {:>5} {:>8} MiB\n", number, machine.name,
                   machine.compute_major, machine.compute_minor, machine.sm_count, machine.memory_mib);
  return text + "\nWARPFIBER_DEVICE chooses another model, and WARPFIBER_DEVICES how many: warpfiber devices\n";
}

}  // namespace

Reply nvidia_smi(const DoorWords& words, const Machine& machine) {
  constexpr std::string_view kQuery = "--query-gpu=";
  constexpr std::string_view kFormat = "--format=";
  std::string format;
  DoorWords fields;
  for (const std::string& word : words) {
    if (word == "-L" || word == "--list-gpus") return {0, list(machine), ""};
    if (word.starts_with(kQuery)) fields = split(std::string_view(word).substr(kQuery.size()));
    if (word.starts_with(kFormat)) format = word.substr(kFormat.size());
  }
  if (!fields.empty()) return {0, queried(fields, format, machine), ""};
  return {0, table(machine), ""};
}

}  // namespace warpfiber::tools::toolkit
