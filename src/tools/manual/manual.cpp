// SPDX-License-Identifier: Apache-2.0
//
// The tables of subcommands. Exit codes here are the only list of them: docs/command-line.md shows what is printed from
// it, and tests/command runs the command for each.
#include "tools/manual/manual.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tools/manual/nvcc_words.hpp"
#include "tools/manual/options.hpp"

namespace warpfiber::tools::manual {
namespace {

using Text = std::string_view;

constexpr Text kRunUsage[] = {"[OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]"};
constexpr Example kRunExamples[] = {
    {"warpfiber run reduce.cu", "build the program in a temporary folder and run it"},
    {"warpfiber run -O3 -Iinclude main.cu kernels.cu -- 1000000",
     "with options of nvcc and an argument of the program"},
    {"WARPFIBER_POLICY=random WARPFIBER_SEED=7 warpfiber run reduce.cu", "under another schedule"},
    {"warpfiber run --trace reduce.pftrace -fcheck reduce.cu", "with a trace that has the accesses of threads"},
};
constexpr ExitCode kRunCodes[] = {
    {"1", "the program could not be built"},
    {"2", "wrong usage, or a file could not be written"},
    {"128 + N", "signal N ended the program"},
    {"66",
     "errors were found in a program that checks itself (-fcheck), or a kernel hung or faulted and the program "
     "ignored the error"},
    {"other", "the program's own exit code"},
};
constexpr Text kRunPages[] = {"nvcc", "options", "reports", "traces"};

constexpr Text kCheckUsage[] = {"[OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]",
                                "[OPTION...] PROGRAM [ARGUMENT...]"};
constexpr Example kCheckExamples[] = {
    {"warpfiber check reduce.cu -- 1000000", "build, run and check once"},
    {"warpfiber check --seeds 20 reduce.cu", "under 20 random schedules"},
    {"warpfiber check --seeds 1..1000 --shard 3/8 --json found-%s.json ./app",
     "the third of eight processes that share 1,000 seeds"},
    {"warpfiber check --seed 7 reduce.cu", "again under the schedule of seed 7"},
    {"warpfiber check --report report.html reduce.cu", "with a page for the browser"},
    {"warpfiber check --json findings.json --junit report.xml ./app", "a program that was built with -fcheck"},
};
constexpr ExitCode kCheckCodes[] = {
    {"0", "nothing was found, or only warnings"},
    {"1", "at least one error was found, however the program ended"},
    {"2", "wrong usage, or a file could not be written"},
    {"3", "no error was found, but not everything was checked: no kernel ran, or the program has no access hooks"},
    {"4", "the program could not be built"},
    {"5", "no error was found, but the program failed: it returned another number than 0, or a signal ended it"},
};
constexpr Text kCheckPages[] = {"checking", "scale", "findings-format", "reports", "traces"};

constexpr Text kMergeUsage[] = {"[OPTION...] FILE..."};
constexpr Example kMergeExamples[] = {
    {"warpfiber check --seeds 1..1000 --shard 3/8 --json found-%s.json ./app", "the seeds of one shard of eight"},
    {"warpfiber merge found-*.json", "what all of them have found, and what is missing"},
    {"warpfiber merge --json all.json --junit report.xml found-*.json", "also in files"},
};
constexpr ExitCode kMergeCodes[] = {
    {"0", "nothing was found, or only warnings, and all seeds were run"},
    {"1", "at least one error was found"},
    {"2", "wrong usage, a file that cannot be read or written, or files that are not of one search"},
    {"3", "no error was found, but a shard is missing, was interrupted or has not checked everything"},
    {"4", "no error was found, and for a shard the program could not be built"},
    {"5", "no error was found, but the program failed in a run"},
};
constexpr Text kMergePages[] = {"scale", "findings-format"};

constexpr Text kProfileUsage[] = {"[OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]"};
constexpr Example kProfileExamples[] = {
    {"warpfiber profile transpose.cu", "count what the kernels do, by source line"},
    {"warpfiber profile --csv counters.csv -Iinclude main.cu kernels.cu -- 1024",
     "for a spreadsheet, with an option of nvcc and an argument of the program"},
};
constexpr ExitCode kProfileCodes[] = {
    {"1", "the program could not be built"},
    {"2", "wrong usage, or a file could not be written"},
    {"3", "nothing was counted: no kernel ran to its end"},
    {"66", "errors were found"},
    {"128 + N", "signal N ended the program"},
    {"other", "the program's own exit code"},
};
constexpr Text kProfilePages[] = {"counters", "reports", "traces"};

constexpr Text kGdbUsage[] = {"[OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]"};
constexpr Example kGdbExamples[] = {
    {"warpfiber gdb reduce.cu -- 1000", "debug a program that takes an argument"},
    {"warpfiber gdb -fcheck reduce.cu", "the same with checks, for `set cuda break_on_finding on`"},
};
constexpr ExitCode kGdbCodes[] = {
    {"1", "the program could not be built"},
    {"2", "wrong usage, or there is no gdb"},
    {"other", "gdb's own exit code"},
};
constexpr Text kGdbPages[] = {"debugging"};

constexpr Text kStepUsage[] = {"[OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]"};
constexpr Example kStepExamples[] = {
    {"warpfiber step reduce.cu -- 1000", "step through the kernels of a program that takes an argument"},
    {"warpfiber step --watch 'sum[threadIdx.x]' reduce.cu", "with the value of an expression in each lane"},
    {"warpfiber step --script moves.txt reduce.cu", "print what a file of moves shows, for slides"},
};
constexpr ExitCode kStepCodes[] = {
    {"0", "you have left the stepper, or the script has ended"},
    {"1", "the program could not be built"},
    {"2", "wrong usage, a line of the script that is no move, or there is no gdb, Python or terminal"},
    {"128 + N", "signal N ended the stepper"},
};
constexpr Text kStepPages[] = {"stepping"};

constexpr Text kNvccUsage[] = {"[OPTION...] FILE..."};
constexpr Example kNvccExamples[] = {
    {"warpfiber nvcc -O3 -std=c++17 -arch=sm_90 main.cu kernels.cu -o app", "build a program"},
    {"warpfiber nvcc -fcheck reduce.cu -o reduce", "build a program that checks itself"},
    {"make NVCC=\"warpfiber nvcc\"", "an existing makefile, unchanged"},
};
constexpr ExitCode kNvccCodes[] = {
    {"0", "everything was built"},
    {"1", "a file could not be read, translated, compiled or linked"},
    {"2", "wrong usage"},
    {"other", "with -run: the exit code of the program, as for warpfiber run"},
};
constexpr Text kNvccPages[] = {"nvcc"};

constexpr Text kCrosscheckUsage[] = {"[OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]",
                                     "[--replay DIR] [-- KERNEL...]"};
constexpr Example kCrosscheckExamples[] = {
    {"warpfiber crosscheck reduce.cu -- 1000", "on a machine with a GPU: run on both and compare"},
    {"warpfiber crosscheck --replay there reduce.cu", "anywhere: compare with a recording of warpfiber-dev record"},
};
constexpr ExitCode kCrosscheckCodes[] = {
    {"0", "both sides are equal"},
    {"1", "they differ"},
    {"2", "wrong usage, a build that failed, or a recording that cannot be read or is of another program"},
    {"3", "there is no nvcc or no GPU, and no recording was given: nothing was compared"},
};
constexpr Text kCrosscheckPages[] = {"crosscheck"};

constexpr Text kRecordUsage[] = {"--to DIR [OPTION...] [nvcc's options] FILE.cu... [-- ARGUMENT...]",
                                 "--build-only DIR [nvcc's options] FILE.cu...", "--to DIR [-- KERNEL...]"};
constexpr Example kRecordExamples[] = {
    {"warpfiber-dev record --to there reduce.cu -- 1000", "on a machine with a GPU"},
    {"warpfiber-dev record --build-only bin -arch=sm_90 reduce.cu", "for a machine that has a GPU and no compiler"},
};
constexpr ExitCode kRecordCodes[] = {
    {"0", "the recording was written, or the program built"},
    {"2", "wrong usage, a build that failed, or a recording that cannot be written"},
    {"3", "there is no nvcc or no GPU"},
};

constexpr Text kFuzzUsage[] = {"[OPTION...]"};
constexpr Example kFuzzExamples[] = {
    {"warpfiber-dev fuzz --count 20", "20 programs against the recorded results of an H200"},
    {"warpfiber-dev fuzz --against model --seed 50000", "seeds without a recording, against the sequential model"},
    {"warpfiber-dev fuzz --seeds 1..100000 --shard 3/8 --json fuzz-%s.json",
     "one of eight processes, for warpfiber merge"},
    {"warpfiber-dev fuzz --print 7 > program.cu", "the program of seed 7 as a CUDA file"},
    {"warpfiber-dev fuzz --regions --count 200", "200 kernels with barriers, as fibers and as regions"},
};
constexpr ExitCode kFuzzCodes[] = {
    {"0", "no difference was found"},
    {"1", "a difference was found"},
    {"2", "the programs could not be built, run or compared; or wrong usage"},
    {"3", "there is no GPU, or no fuzz_device"},
    {"128 + N", "with --regions: signal N ended it"},
};
constexpr Text kFuzzPages[] = {"fuzzing"};

constexpr Text kFidelityUsage[] = {"[nvcc's options] [FILE...]"};
constexpr Example kFidelityExamples[] = {
    {"warpfiber fidelity", "all features"},
    {"warpfiber fidelity -Iinclude reduce.cu", "the features that a program uses"},
};
constexpr ExitCode kFidelityCodes[] = {
    {"0", "the table was printed"},
    {"2", "a file cannot be read or is not text; or wrong usage"},
};
constexpr Text kFidelityPages[] = {"intrinsics", "semantics"};

constexpr Text kDevicesUsage[] = {"[NAME | FILE]"};
constexpr Example kDevicesExamples[] = {
    {"warpfiber devices", "all models"},
    {"warpfiber devices H200", "the numbers of one"},
};
constexpr ExitCode kDeviceCodes[] = {
    {"0", "the answer was printed"},
    {"1", "there is no such device, or its file is invalid"},
    {"2", "wrong usage"},
};
constexpr Text kDevicesPages[] = {"devices"};

constexpr Text kOccupancyUsage[] = {"--block THREADS [OPTION...]"};
constexpr Example kOccupancyExamples[] = {
    {"warpfiber occupancy --block 256", "blocks of 256 threads on the default device"},
    {"warpfiber occupancy --device A100 --block 256 --registers 64 --shared 16384", "a kernel on another device"},
};

constexpr Text kExplainUsage[] = {"[ID | PAGE]"};
constexpr Example kExplainExamples[] = {
    {"warpfiber explain", "the ids of all findings, and the pages of the documentation"},
    {"warpfiber explain race-shared", "what this finding means, and how it is corrected"},
    {"warpfiber explain checking | less", "a page of the documentation"},
};
constexpr ExitCode kExplainCodes[] = {
    {"0", "the page, or the list, was printed"},
    {"1", "there is no such finding or page, or the documentation is not installed"},
    {"2", "wrong usage"},
};
constexpr Text kExplainPages[] = {"command-line"};

constexpr Text kDoctorUsage[] = {"[--json FILE]"};
constexpr Example kDoctorExamples[] = {
    {"warpfiber doctor", "what works here, and what mends the rest"},
    {"warpfiber doctor --json doctor.json", "the same, also for a report of a defect"},
};
constexpr ExitCode kDoctorCodes[] = {
    {"0", "all that a build, a run and a check need works"},
    {"1", "something that they need is missing or fails"},
    {"2", "wrong usage, or the file could not be written"},
};

constexpr Text kCompletionUsage[] = {"bash | zsh | fish"};
constexpr Example kCompletionExamples[] = {
    {"source <(warpfiber completion bash)", "for this shell"},
    {"warpfiber completion fish > ~/.config/fish/completions/warpfiber.fish", "for every fish"},
};
constexpr ExitCode kCompletionCodes[] = {
    {"0", "the script was printed"},
    {"2", "wrong usage"},
};

constexpr Text kHelpUsage[] = {"[COMMAND | exit-codes]"};
constexpr Example kHelpExamples[] = {
    {"warpfiber help check", "the same as warpfiber check --help"},
    {"warpfiber help exit-codes", "the exit codes of all commands"},
};
constexpr ExitCode kHelpCodes[] = {
    {"0", "the help was printed"},
    {"2", "there is no such command"},
};

constexpr Subcommand kSubcommands[] = {
    {.name = "run",
     .summary = "Build CUDA files and run the program",
     .usage = kRunUsage,
     .description = "Builds CUDA files in a temporary folder and runs the program on a simulated GPU. Arguments after "
                    "-- are passed to the program. Environment variables select the device and the schedule.",
     .options = kRunOptions,
     .takes_nvcc = true,
     .words = Operands::sources,
     .examples = kRunExamples,
     .exit_codes = kRunCodes,
     .pages = kRunPages},
    {.name = "check",
     .summary = "Build CUDA files, run the program and report what is wrong with it",
     .usage = kCheckUsage,
     .description = "Builds CUDA files with access hooks, runs the program and reports races, invalid accesses, hangs "
                    "and misuse of CUDA. A program that was built with hooks is run as it is.",
     .options = kCheckOptions,
     .takes_nvcc = true,
     .words = Operands::programs,
     .examples = kCheckExamples,
     .exit_codes = kCheckCodes,
     .pages = kCheckPages},
    {.name = "merge",
     .summary = "Put together what the shards of a search have found",
     .usage = kMergeUsage,
     .description =
         "Reads the files that warpfiber check --seeds A..B --shard I/N --json has written, or warpfiber-dev "
         "fuzz, reports each finding once, with the first seed and how many runs found it, and what was run "
         "and what not.",
     .options = kMergeOptions,
     .words = Operands::files,
     .examples = kMergeExamples,
     .exit_codes = kMergeCodes,
     .pages = kMergePages},
    {.name = "profile",
     .summary = "Count what kernels do: memory requests, sectors, bank conflicts",
     .usage = kProfileUsage,
     .description =
         "Builds CUDA files with access hooks, runs the program and prints exact counters of each kernel and "
         "source line. Deadlocks are reported; races and invalid accesses with --check.",
     .options = kProfileOptions,
     .takes_nvcc = true,
     .words = Operands::sources,
     .examples = kProfileExamples,
     .exit_codes = kProfileCodes,
     .pages = kProfilePages},
    {.name = "gdb",
     .summary = "Debug a program in gdb, with the threads of its kernels",
     .usage = kGdbUsage,
     .description = "Builds CUDA files with -G and starts gdb with the program and with commands for the threads of "
                    "kernels. The program runs with one worker unless WARPFIBER_WORKERS says otherwise.",
     .options = kGdbOptions,
     .takes_nvcc = true,
     .words = Operands::sources,
     .examples = kGdbExamples,
     .exit_codes = kGdbCodes,
     .pages = kGdbPages},
    {.name = "step",
     .summary = "Step through kernels in the terminal, forwards and back",
     .usage = kStepUsage,
     .description = "Builds CUDA files with checks and shows the source, the lanes of a block and watched expressions "
                    "at each step: by line, lane, warp or barrier, and back. Needs gdb and Python.",
     .options = kStepOptions,
     .takes_nvcc = true,
     .words = Operands::sources,
     .examples = kStepExamples,
     .exit_codes = kStepCodes,
     .pages = kStepPages},
    {.name = "nvcc",
     .summary = "Build CUDA programs with nvcc's options",
     .usage = kNvccUsage,
     .description = "Replaces NVIDIA's nvcc and accepts its options. The programs run on a simulated GPU; no CUDA "
                    "toolkit is needed. warpfiber-nvcc is the same command for build systems that need one word.",
     .takes_nvcc = true,
     .words = Operands::sources,
     .examples = kNvccExamples,
     .exit_codes = kNvccCodes,
     .pages = kNvccPages},
    {.name = "explain",
     .summary = "Explain a finding, or show a page of the documentation",
     .usage = kExplainUsage,
     .description = "Prints the page of a finding: what the mistake is, a wrong and a corrected program, the report, "
                    "and why hardware may hide it. Without an argument it lists all of them.",
     .options = kCommandOptions,
     .words = Operands::page,
     .examples = kExplainExamples,
     .exit_codes = kExplainCodes,
     .pages = kExplainPages},
    {.name = "crosscheck",
     .summary = "Compare a program, or the gallery, with a GPU",
     .usage = kCrosscheckUsage,
     .description = "Runs a program on the simulator and on a GPU, and compares exit code, standard output and what it "
                    "copies back from the device. Without a program it compares the kernels of the gallery.",
     .options = kCrosscheckOptions,
     .takes_nvcc = true,
     .words = Operands::sources,
     .examples = kCrosscheckExamples,
     .exit_codes = kCrosscheckCodes,
     .pages = kCrosscheckPages},
    {.name = "fidelity",
     .summary = "What is modelled exactly, approximately or not at all",
     .usage = kFidelityUsage,
     .description =
         "Lists the features of CUDA with how exactly each is modelled. With CUDA files it lists the features "
         "that they use.",
     .options = kCommandOptions,
     .takes_nvcc = true,
     .words = Operands::sources,
     .examples = kFidelityExamples,
     .exit_codes = kFidelityCodes,
     .pages = kFidelityPages},
    {.name = "devices",
     .summary = "List the device models, or show the numbers of one",
     .usage = kDevicesUsage,
     .description = "Lists the device models that WARPFIBER_DEVICE can name, or all numbers of one of them.",
     .options = kCommandOptions,
     .words = Operands::device,
     .examples = kDevicesExamples,
     .exit_codes = kDeviceCodes,
     .pages = kDevicesPages},
    {.name = "occupancy",
     .summary = "How many blocks of a kernel an SM holds, and why not more",
     .usage = kOccupancyUsage,
     .description = "Prints how many blocks of a kernel fit a multiprocessor of a device, which resource limits them, "
                    "and how large a cooperative launch may be.",
     .options = kOccupancyOptions,
     .examples = kOccupancyExamples,
     .exit_codes = kDeviceCodes,
     .pages = kDevicesPages},
    {.name = "doctor",
     .summary = "What is installed and works here, and what mends the rest",
     .usage = kDoctorUsage,
     .description = "Looks at the installation and the compilers, and tries a build, a run, a check and the rest. What "
                    "does not work is shown with what it has printed, and with the command that mends it.",
     .options = kDoctorOptions,
     .examples = kDoctorExamples,
     .exit_codes = kDoctorCodes,
     .pages = kExplainPages},
    {.name = "completion",
     .summary = "Print the completion script for a shell",
     .usage = kCompletionUsage,
     .description = "Prints the completion script for this shell. An installation has the same scripts in the standard "
                    "places below its prefix.",
     .options = kCommandOptions,
     .words = Operands::shell,
     .examples = kCompletionExamples,
     .exit_codes = kCompletionCodes,
     .pages = kExplainPages},
    {.name = "help",
     .summary = "Help on a command, or the exit codes of all",
     .usage = kHelpUsage,
     .description = "Lists the commands, or prints the help of one of them.",
     .options = kCommandOptions,
     .words = Operands::command,
     .examples = kHelpExamples,
     .exit_codes = kHelpCodes,
     .pages = kExplainPages},
};

constexpr Subcommand kDeveloperSubcommands[] = {
    {.name = "fuzz",
     .command = kDevelopersCommand,
     .summary = "Compare random kernels with recordings of a GPU, or with a GPU",
     .usage = kFuzzUsage,
     .description = "Runs random kernels on the simulator under two schedules and compares their results with those of "
                    "a GPU and of a sequential model. A difference is reduced to a small program. With --regions "
                    "it builds other kernels in two forms, as fibers and as regions, and compares those.",
     .options = kFuzzOptions,
     .examples = kFuzzExamples,
     .exit_codes = kFuzzCodes,
     .pages = kFuzzPages},
    {.name = "record",
     .command = kDevelopersCommand,
     .summary = "Record what a program, or the gallery, does on a GPU",
     .usage = kRecordUsage,
     .description = "Runs a program on a GPU and writes a recording of its exit code, its standard output and what it "
                    "copies back from the device. warpfiber crosscheck --replay compares with it elsewhere. Without a "
                    "program it records the kernels of the gallery.",
     .options = kRecordOptions,
     .takes_nvcc = true,
     .words = Operands::sources,
     .examples = kRecordExamples,
     .exit_codes = kRecordCodes,
     .pages = kCrosscheckPages},
};

/// How many letters have to be put in, taken out, changed or exchanged with the next one.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1});
      const bool is_exchange = i != 0 && j != 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_exchange) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::span<const Subcommand> subcommands(std::string_view command) {
  if (command == kDevelopersCommand) return kDeveloperSubcommands;
  return kSubcommands;
}

const Subcommand* find_subcommand(std::string_view name) {
  for (const std::string_view command : {kUsersCommand, kDevelopersCommand}) {
    const std::span<const Subcommand> all = subcommands(command);
    const auto found = std::ranges::find(all, name, &Subcommand::name);
    if (found != all.end()) return &*found;
  }
  return nullptr;
}

std::string full_name(const Subcommand& subcommand) {
  return std::string(subcommand.command) + " " + std::string(subcommand.name);
}

std::string full_name(std::string_view subcommand) {
  return full_name(*find_subcommand(subcommand));
}

std::span<const OptionHelp> command_options() {
  return kCommandOptions;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kShort = 4;  // letters, of which one at most may be wrong
  const std::size_t letters = word.size() - std::min(word.find_first_not_of('-'), word.size());
  std::string found;
  std::size_t least = letters > kShort ? 3 : 2;
  for (const std::string& candidate : candidates) {
    const std::size_t far = distance(word, candidate);
    if (far < least && far < word.size()) least = far, found = candidate;
  }
  return found;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string found = nearest(word, candidates);
  return found.empty() ? std::string() : "; did you mean '" + found + "'?";
}

std::string with_suggestion(const std::string& complaint, const std::string& unknown, std::string_view subcommand) {
  if (unknown.empty()) return complaint;
  const std::string name = unknown.substr(0, unknown.find('='));
  const std::vector<std::string> known = option_names(*find_subcommand(subcommand));
  if (name != unknown && std::ranges::find(known, name) != known.end()) return "option '" + name + "' takes no value";
  const std::string meant = suggestion(name, known);
  if (!meant.empty()) return "unknown option '" + name + "'" + meant;
  for (const std::string_view command : {kUsersCommand, kDevelopersCommand}) {
    const std::span<const Subcommand> all = subcommands(command);
    const auto other =
        std::ranges::find_if(all, [&](const Subcommand& each) { return find_option(each.options, name) != nullptr; });
    if (other != all.end()) return "'" + name + "' is an option of " + full_name(*other) + ", not of this command";
  }
  const bool runs = subcommand == "run" || subcommand == "check" || subcommand == "profile" ||
                    subcommand == "crosscheck" || subcommand == "record" || subcommand == "gdb" || subcommand == "step";
  return runs ? complaint + ", and options of the program after \"--\"" : complaint;
}

std::vector<std::string> option_names(const Subcommand& subcommand) {
  std::vector<std::string> names;
  const auto add = [&names](std::string_view name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  for (const OptionHelp& option : subcommand.options) add(option.name), add(option.other);
  if (!subcommand.takes_nvcc) return names;
  for (const nvcc::NvccOption& option : nvcc::kOptions) add(option.short_name), add(option.long_name);
  return names;
}

}  // namespace warpfiber::tools::manual
