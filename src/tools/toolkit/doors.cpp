// SPDX-License-Identifier: Apache-2.0
//
// The words of each door. NVIDIA's options come before the program; those that have a value in a word of its own are
// listed, because only so the program is found behind them.
#include "tools/toolkit/doors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <span>

#include "tools/toolkit/nvidia_smi.hpp"

namespace warpfiber::tools::toolkit {
namespace {

using OptionNames = std::span<const std::string_view>;

constexpr int kRefused = 1;

/// Options of NVIDIA's before a program, and the program with its arguments.
struct DoorCall {
  struct Option {
    std::string name;
    std::optional<std::string> value;
  };
  std::vector<Option> options;
  DoorWords program;

  const Option* find(OptionNames names) const {
    const auto at = std::ranges::find_if(options, [&](const Option& option) { return is_among(option.name, names); });
    return at == options.end() ? nullptr : &*at;
  }

  static bool is_among(std::string_view name, OptionNames names) {
    return std::ranges::find(names, name) != names.end();
  }
};

DoorCall read_call(const DoorWords& words, OptionNames with_value) {
  DoorCall call;
  auto word = words.begin();
  for (; word != words.end() && word->starts_with('-'); ++word) {
    const std::size_t equals = word->find('=');
    if (equals != std::string::npos) {
      call.options.push_back({word->substr(0, equals), word->substr(equals + 1)});
    } else if (DoorCall::is_among(*word, with_value) && std::next(word) != words.end()) {
      call.options.push_back({*word, *std::next(word)});
      ++word;
    } else {
      call.options.push_back({*word, std::nullopt});
    }
  }
  call.program.assign(word, words.end());
  return call;
}

Opened sentence(int status, std::string text) {
  Opened opened;
  opened.reply = {status, "", std::move(text) + "\n"};
  return opened;
}

// compute-sanitizer 2025.3, "Command Line Options".
constexpr std::string_view kSanitizerValues[] = {"--tool",
                                                 "-t",
                                                 "--error-exitcode",
                                                 "--leak-check",
                                                 "--log-file",
                                                 "--print-limit",
                                                 "--print-level",
                                                 "--save",
                                                 "--language",
                                                 "--target-processes",
                                                 "--kernel-regex",
                                                 "--kernel-name",
                                                 "-k",
                                                 "--launch-count",
                                                 "-c",
                                                 "--launch-skip",
                                                 "-s",
                                                 "--padding",
                                                 "--report-api-errors",
                                                 "--racecheck-report",
                                                 "--show-backtrace",
                                                 "--max-connections",
                                                 "--kernel-name-exclude",
                                                 "--num-callers-host",
                                                 "--num-callers-device"};
constexpr std::string_view kTool[] = {"--tool", "-t"};
constexpr std::string_view kTools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
constexpr std::string_view kErrorCode[] = {"--error-exitcode"};
constexpr std::string_view kLeakCheck[] = {"--leak-check"};
constexpr std::string_view kToFiles[] = {"--log-file", "--save", "--xml"};

Opened sanitizer(const DoorWords& words, const DoorContext& /*here*/) {
  const DoorCall call = read_call(words, kSanitizerValues);
  if (const auto* tool = call.find(kTool); tool != nullptr && !DoorCall::is_among(tool->value.value_or(""), kTools))
    return sentence(kRefused, fmt::format("compute-sanitizer: there is no tool '{}'; each of {} is a part of warpfiber "
                                          "check, which looks for all of it in one run",
                                          tool->value.value_or(""), fmt::join(kTools, ", ")));
  if (const auto* option = call.find(kToFiles))
    return sentence(kRefused, fmt::format("compute-sanitizer: here {} is not known; warpfiber check writes files by "
                                          "--json, --sarif, --junit and --report",
                                          option->name));
  if (call.program.empty())
    return sentence(kRefused, "compute-sanitizer: name a program that warpfiber nvcc -fcheck has built");
  Opened opened;
  opened.way = DoorKind::check;
  if (const auto* leaks = call.find(kLeakCheck); leaks != nullptr && leaks->value == "full")
    opened.words.emplace_back("--leak-check");
  if (const auto* code = call.find(kErrorCode); code != nullptr && code->value) {
    const std::string& text = *code->value;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), opened.status_of_findings);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
      return sentence(kRefused, fmt::format("compute-sanitizer: --error-exitcode takes a number, not '{}'", text));
  }
  opened.words.insert(opened.words.end(), call.program.begin(), call.program.end());
  return opened;
}

Opened debugger(const DoorWords& words, const DoorContext& here) {
  Opened opened;
  opened.way = DoorKind::start;
  opened.words = {here.gdb, "-q", "-iex", "add-auto-load-safe-path " + here.debugger, "-x", here.debugger};
  opened.words.insert(opened.words.end(), words.begin(), words.end());
  opened.variables = {"WARPFIBER_WORKERS=1"};
  return opened;
}

// Nsight Compute 2025.3, "Command Line Options".
constexpr std::string_view kComputeValues[] = {"-o",
                                               "--export",
                                               "--log-file",
                                               "--set",
                                               "--section",
                                               "--metrics",
                                               "-k",
                                               "--kernel-name",
                                               "--kernel-id",
                                               "-c",
                                               "--launch-count",
                                               "-s",
                                               "--launch-skip",
                                               "--target-processes",
                                               "--page",
                                               "--section-folder",
                                               "--replay-mode",
                                               "--cache-control",
                                               "--clock-control",
                                               "--nvtx-include",
                                               "--nvtx-exclude",
                                               "--import",
                                               "-i",
                                               "--print-summary",
                                               "--print-units",
                                               "--rule",
                                               "--devices",
                                               "--app-replay-match",
                                               "--sampling-interval",
                                               "--source-folder"};

Opened compute(const DoorWords& words, const DoorContext& /*here*/) {
  const DoorCall call = read_call(words, kComputeValues);
  constexpr std::string_view kPlace =
      "ncu: what kernels do is counted by warpfiber profile FILE.cu, which builds the program for it";
  if (call.program.empty()) return sentence(0, std::string(kPlace));
  Opened opened = sentence(0, fmt::format("{}; {} runs without", kPlace, call.program.front()));
  opened.way = DoorKind::start;
  opened.words = call.program;
  return opened;
}

// Nsight Systems 2025.3, "Command Line Options" of profile and launch.
constexpr std::string_view kSystemsValues[] = {"-o",
                                               "--output",
                                               "-t",
                                               "--trace",
                                               "-s",
                                               "--sample",
                                               "-c",
                                               "--capture-range",
                                               "-b",
                                               "--backtrace",
                                               "-f",
                                               "--force-overwrite",
                                               "-d",
                                               "--duration",
                                               "-y",
                                               "--delay",
                                               "-w",
                                               "--show-output",
                                               "-x",
                                               "--stop-on-exit",
                                               "-e",
                                               "--env-var",
                                               "-n",
                                               "--inherit-environment",
                                               "--cpuctxsw",
                                               "--stats",
                                               "--export",
                                               "--kill",
                                               "--cuda-memory-usage",
                                               "--gpu-metrics-devices",
                                               "--capture-range-end",
                                               "-p",
                                               "--nvtx-capture"};
constexpr std::string_view kOutput[] = {"-o", "--output"};

Opened systems(const DoorWords& words, const DoorContext& /*here*/) {
  constexpr std::string_view kWhatThereIs =
      "nsys: `nsys profile PROGRAM` writes a trace for Perfetto (ui.perfetto.dev); reports of Nsight Systems are not "
      "read or written";
  if (words.empty() || (words.front() != "profile" && words.front() != "launch"))
    return sentence(0, std::string(kWhatThereIs));
  const DoorCall call = read_call({words.begin() + 1, words.end()}, kSystemsValues);
  if (call.program.empty()) return sentence(0, std::string(kWhatThereIs));
  std::string file = "report1";
  if (const auto* output = call.find(kOutput); output != nullptr && output->value) file = *output->value;
  for (const std::string_view ending : {".nsys-rep", ".qdrep"})
    if (file.ends_with(ending)) file.resize(file.size() - ending.size());
  file += ".pftrace";
  Opened opened = sentence(0, fmt::format("nsys: the trace goes to {}, for Perfetto (ui.perfetto.dev)", file));
  opened.way = DoorKind::start;
  opened.words = call.program;
  opened.variables = {"WARPFIBER_TRACE=" + file};
  return opened;
}

Opened machine(const DoorWords& words, const DoorContext& here) {
  Opened opened;
  opened.reply = nvidia_smi(words, here.machine);
  return opened;
}

Opened object_dump(const DoorWords& /*words*/, const DoorContext& /*here*/) {
  return sentence(
      0,
      "cuobjdump: programs of warpfiber nvcc hold no code for a GPU; warpfiber nvcc -cuda FILE.cu writes what a "
      "kernel becomes, and objdump -d shows its instructions");
}

Opened disassembler(const DoorWords& /*words*/, const DoorContext& /*here*/) {
  return sentence(kRefused,
                  "nvdisasm: there is no code for a GPU to show, since warpfiber nvcc makes none; objdump -d shows the "
                  "instructions of a program");
}

struct Door {
  std::string_view name;
  Opened (*open)(const DoorWords& words, const DoorContext& here);
};

constexpr Door kDoors[] = {
    {"compute-sanitizer", sanitizer}, {"cuda-gdb", debugger},     {"ncu", compute},           {"nsys", systems},
    {"nvidia-smi", machine},          {"cuobjdump", object_dump}, {"nvdisasm", disassembler},
};

}  // namespace

bool is_door(std::string_view name) {
  return std::ranges::find(kDoors, name, &Door::name) != std::end(kDoors);
}

Opened open(std::string_view name, const DoorWords& words, const DoorContext& here) {
  return std::ranges::find(kDoors, name, &Door::name)->open(words, here);
}

}  // namespace warpfiber::tools::toolkit
