// SPDX-License-Identifier: Apache-2.0
//
// Draws a program for each seed, runs it in order and at random, compares with the model or a device, and shrinks
// what differs before it explains it.
#include "tools/fuzz/fuzz.hpp"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "tools/fuzz/difference.hpp"
#include "tools/fuzz/gpu.hpp"
#include "tools/fuzz/options.hpp"
#include "tools/fuzz/programs.hpp"
#include "tools/fuzz/reference/reference.hpp"
#include "tools/fuzz/regions/comparison.hpp"
#include "tools/manual/help.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/processes/scratch.hpp"
#include "tools/shards/fuzz_results.hpp"
#include "tools/shards/state_file.hpp"

namespace warpfiber::tools::fuzz {
namespace {

constexpr int kDiffers = 1;
constexpr int kFailed = 2;
constexpr int kUnavailable = 3;     // as crosscheck's
constexpr unsigned kExplained = 3;  // differences; the others are counted
constexpr unsigned kMostTrials = 4000;
constexpr unsigned kMostTrialsOnGpu = 200;  // each is a process

constexpr std::uint64_t kBetweenSaves = 100;  // programs

constexpr const char* kModel = "the sequential model";
constexpr const char* kWithoutResult = "without a result of that device";

bool are_equal(const Outcome& one, const Outcome& other) {
  return one.digest == other.digest && one.nodes == other.nodes;
}

bool are_equal(const Outcome& outcome, const Recorded& recorded) {
  return outcome.digest == recorded.digest && outcome.nodes == recorded.nodes;
}

/// What was found about one program.
struct FuzzFinding {
  std::string text;     // in lines
  FuzzProgram program;  // the smallest that shows it
  std::string there;    // what it was held against
};

class FuzzSession {
 public:
  FuzzSession(const FuzzOptions& options, const std::string& prefix, InjectedFault fault, shards::StateFile* state)
      : options_(options),
        state_(state),
        fault_(fault),
        gpu_(prefix + "/" WARPFIBER_LIBEXECDIR "/warpfiber/fuzz_device"),
        recordings_path_(options.recordings.empty() ? prefix + "/" WARPFIBER_DATADIR "/warpfiber/fuzz/h200.rec"
                                                    : options.recordings) {
    if (state_ == nullptr || state_->known().is_null()) return;
    results_ = *shards::results_of(state_->known());
    for (const shards::FuzzDifference& difference : results_.differences) reply_.out += difference.text;
  }

  Reply run() {
    const std::string complaint = prepared();
    if (!complaint.empty()) return {lacks_gpu_ ? kUnavailable : kFailed, "", "warpfiber-dev fuzz: " + complaint + "\n"};
    if (options_.print) return {0, printed_program(*options_.print), ""};
    if (!options_.record.empty() && options_.against != Against::gpu) return recorded_only();
    while (results_.programs < options_.count) {
      std::string failure = try_program(options_.seed + results_.programs);
      ++results_.programs;
      const bool is_last = results_.programs == options_.count;
      if (failure.empty() && (is_last || results_.programs % kBetweenSaves == 0)) failure = save();
      if (!failure.empty()) return {kFailed, reply_.out, "warpfiber-dev fuzz: " + failure + "\n"};
    }
    reply_.out += summary();
    reply_.status = results_.differing() != 0 ? kDiffers : 0;
    return reply_;
  }

 private:
  /// Why it cannot be kept what was compared; empty: it is.
  std::string save() {
    if (state_ == nullptr) return {};
    const bool is_last = results_.programs == options_.count;
    state_->end(results_.programs, is_last ? shards::ShardEnd::all : shards::ShardEnd::none);
    return state_->save(document_of(results_), results_.programs);
  }

  /// What is missing; empty: nothing.
  std::string prepared() {
    if (options_.count == 0 || results_.programs == options_.count) return {};
    const bool on_gpu = options_.against == Against::gpu || !options_.record.empty();
    if (on_gpu && !options_.print) return prepared_gpu();
    if (options_.against == Against::model) return {};
    const std::string complaint = read_recordings(recordings_path_, recordings_);
    if (!complaint.empty()) return complaint;
    const std::uint64_t last = options_.seed + options_.count - 1;
    const bool all = recordings_.has(options_.seed) && recordings_.has(last);
    if (options_.against == Against::recordings && !all && !options_.print) {
      return fmt::format("{}: has seeds {} to {}, not all of {} to {}", recordings_path_, recordings_.first_seed,
                         recordings_.first_seed + recordings_.programs.size() - 1, options_.seed, last);
    }
    return {};
  }

  std::string prepared_gpu() {
    std::string complaint = gpu_.complaint();
    lacks_gpu_ = !complaint.empty();
    if (lacks_gpu_) return complaint;
    const nvcc::ScratchFolder folder;
    const std::string path = options_.record.empty() ? folder.path() + "/gpu.rec" : options_.record;
    complaint = gpu_.record(options_.seed, options_.count, path, lacks_gpu_);
    return complaint.empty() ? read_recordings(path, recordings_) : complaint;
  }

  Reply recorded_only() const {
    return {0, fmt::format("{}: {} programs of {}\n", options_.record, recordings_.programs.size(), device()), ""};
  }

  std::string device() const {
    return fmt::format("{}, driver {}, {}", recordings_.device, recordings_.driver, recordings_.toolkit);
  }

  std::string printed_program(std::uint64_t seed) {
    const FuzzProgram program = generate(seed);
    const bool known = recordings_.has(seed) && recordings_.of(seed).has_result();
    const std::uint64_t digest =
        known ? recordings_.of(seed).digest : runner_.run(flatten(program), in_order(), Wanted::digest).digest;
    return printed(program, digest,
                   fmt::format("`warpfiber-dev fuzz --print {}`; the digest is that of {}.", seed,
                               known ? device() : "the simulator"));
  }

  RunSettings in_order() const { return {"in-order", 0, fault_}; }
  RunSettings at_random(std::uint64_t seed) const { return {"random", seed, fault_}; }

  /// Why this and all others cannot be tried; empty: it was.
  std::string try_program(std::uint64_t seed) {
    const FuzzProgram program = generate(seed);
    const Flat flat = flatten(program);
    const Outcome here = runner_.run(flat, in_order(), Wanted::sums);
    const Outcome again = runner_.run(flat, at_random(seed), Wanted::sums);
    const Outcome model = run_sequentially(flat, Wanted::sums);
    if (!here.ok() || !again.ok()) {
      differs(seed, [&] {
        return FuzzFinding{"  the simulator ends it: " + (here.ok() ? again : here).error + "\n", program, "nothing"};
      });
    } else if (here.digest != again.digest) {
      differs(seed, [&] { return between_schedules(program); });
    } else if (recordings_.has(seed)) {
      const Recorded& there = recordings_.of(seed);
      if (there.program != program_digest(flat)) return other_generator(seed);
      results_.count(there.has_result() ? "against " + device() : std::string(kWithoutResult));
      if (there.has_result() && !are_equal(here, there)) {
        differs(seed, [&] { return with_device(program, here, there, model); });
      } else if (!are_equal(here, model)) {
        differs(seed, [&] { return with_model(program, kModel); });
      }
    } else if (!are_equal(here, model)) {
      differs(seed, [&] { return with_model(program, kModel); });
    }
    return {};
  }

  std::string other_generator(std::uint64_t seed) const {
    return fmt::format("{}: its program of seed {} is not the one that is generated now; record it again",
                       recordings_path_, seed);
  }

  FuzzFinding between_schedules(const FuzzProgram& program) {
    const auto shows = [this](const FuzzProgram& candidate) {
      const Flat flat = flatten(candidate);
      const Outcome here = runner_.run(flat, in_order(), Wanted::digest);
      const Outcome there = runner_.run(flat, at_random(candidate.seed), Wanted::digest);
      return here.ok() && there.ok() && here.digest != there.digest;
    };
    const FuzzProgram small = shrunk(program, shows, kMostTrials);
    const Outcome here = runner_.run(flatten(small), in_order(), Wanted::events);
    const Outcome there = runner_.run(flatten(small), at_random(program.seed), Wanted::events);
    const std::string there_is = fmt::format("policy random, seed {}", program.seed);
    return {explanation_of(small, here, there), small, there_is};
  }

  /// The model can be run on anything, and so in the place of a device that computed the same.
  FuzzFinding with_model(const FuzzProgram& program, const std::string& there_is) {
    const auto shows = [this](const FuzzProgram& candidate) {
      const Flat flat = flatten(candidate);
      const Outcome here = runner_.run(flat, in_order(), Wanted::digest);
      return here.ok() && here.digest != run_sequentially(flat, Wanted::digest).digest;
    };
    const FuzzProgram small = shrunk(program, shows, kMostTrials);
    const Outcome here = runner_.run(flatten(small), in_order(), Wanted::events);
    return {explanation_of(small, here, run_sequentially(flatten(small), Wanted::events)), small, there_is};
  }

  FuzzFinding with_device(const FuzzProgram& program, const Outcome& here, const Recorded& there,
                          const Outcome& model) {
    if (options_.against == Against::gpu) return with_gpu(program);
    if (are_equal(model, there)) {
      FuzzFinding finding = with_model(program, device());
      finding.text += "  the sequential model ran in place of that device; it computes what was recorded\n";
      return finding;
    }
    FuzzFinding finding = cut(program, here, there);
    finding.text +=
        fmt::format("  not shrunk: a smaller program is not recorded, and the sequential model computes {}\n",
                    are_equal(model, here) ? "what the simulator does" : "a third result");
    return finding;
  }

  FuzzFinding cut(const FuzzProgram& program, const Outcome& here, const Recorded& there) const {
    const std::optional<unsigned> first = first_node(here.nodes, there.nodes);
    if (!first) return {"  by its digest; what is recorded of its operations is the same\n", program, device()};
    const unsigned node = *first;
    const auto sum = [node](const std::vector<std::uint16_t>& of) { return node < of.size() ? of[node] : 0; };
    const std::string text = fmt::format(
        "  first at: {}\n  here   0x{:04x}\n  there  0x{:04x}, of the sum over all threads, which is all that is "
        "recorded of an operation\n",
        line_of(program, node), sum(here.nodes), sum(there.nodes));
    return {text, cut_behind(program, node), device()};
  }

  FuzzFinding with_gpu(const FuzzProgram& program) {
    const Outcome once = gpu_.run(flatten(program));
    if (!once.ok()) return {"  cannot be explained: " + once.error + "\n", program, device()};
    const auto shows = [this](const FuzzProgram& candidate) {
      const Outcome here = runner_.run(flatten(candidate), in_order(), Wanted::digest);
      const Outcome there = gpu_.run(flatten(candidate));
      return here.ok() && there.ok() && here.digest != there.digest;
    };
    const FuzzProgram small = shrunk(program, shows, kMostTrialsOnGpu);
    const Outcome here = runner_.run(flatten(small), in_order(), Wanted::events);
    return {explanation_of(small, here, gpu_.run(flatten(small))), small, device()};
  }

  static std::string explanation_of(const FuzzProgram& program, const Outcome& here, const Outcome& there) {
    const std::optional<FirstDifference> difference = first_difference(here, there);
    return difference ? describe(program, *difference) : "  no difference in the run that was to explain it\n";
  }

  /// To explain a difference takes thousands of runs.
  template <class Explain>
  void differs(std::uint64_t seed, const Explain& explain) {
    if (++explained_ <= kExplained) return found(explain());
    results_.unexplained.push_back(seed);
  }

  void found(const FuzzFinding& finding) {
    const std::uint64_t seed = finding.program.seed;
    const std::string path = fmt::format("fuzz_{}.cu", seed);
    const std::string text =
        fmt::format("seed {}: the simulator (here) differs from {} (there)\n{}", seed, finding.there, finding.text);
    const std::uint64_t digest = runner_.run(flatten(finding.program), in_order(), Wanted::digest).digest;
    std::ofstream file(path);
    file << printed(finding.program, digest, text + "The digest is that of the simulator.");
    file.close();
    const std::string where =
        (file.good() ? "  a program with this difference: " : "  cannot be written: ") + path + "\n";
    results_.add(shards::FuzzDifference{seed, shards::operation_of(finding.text.substr(0, finding.text.find('\n'))),
                                        text + where});
    reply_.out += text + where;
  }

  std::string summary() const {
    std::string text =
        fmt::format("{} program{} from seed {}: ", options_.count, options_.count == 1 ? "" : "s", options_.seed);
    text += results_.differing() == 0 ? "no difference" : fmt::format("{} differ", results_.differing());
    text += "\n  all under two schedules, in order and random, and against a sequential model\n";
    std::uint64_t others = options_.count;
    for (const auto& [label, count] : results_.counts) {
      text += fmt::format("  {} {}\n", count, label);
      others -= count;
    }
    if (others != 0 && !results_.counts.empty()) text += fmt::format("  {} against no device\n", others);
    return text;
  }

  const FuzzOptions& options_;
  shards::StateFile* const state_;  // null: nothing is kept
  InjectedFault fault_;
  Gpu gpu_;
  std::string recordings_path_;
  Recordings recordings_;
  Runner runner_;
  Reply reply_;
  bool lacks_gpu_ = false;
  unsigned explained_ = 0;
  shards::FuzzResults results_;
};

/// What all shards of a comparison have in common.
shards::Campaign campaign_of(const FuzzOptions& options) {
  constexpr const char* kAgainst[] = {"", "--against recordings", "--against gpu", "--against model"};
  std::string version = manual::version();
  while (version.ends_with('\n')) version.pop_back();
  std::string held = kAgainst[static_cast<unsigned>(options.against)];
  if (options.regions) held = "--regions" + options_of_kinds(*options.regions);
  const std::string recordings =
      options.recordings.empty() ? std::string() : shards::digest_of({nvcc::content_of(options.recordings)});
  return {.command = "fuzz",
          .version = std::move(version),
          .program = options.regions ? "random kernels" : "random programs",
          .digest = recordings,
          .options = std::move(held)};
}

Reply compare(const FuzzOptions& options, const std::string& prefix, InjectedFault fault, shards::StateFile* state) {
  if (options.regions) return compare_with_regions(*options.regions, prefix, state);
  return FuzzSession(options, prefix, fault, state).run();
}

/// A part of the seeds of a search.
Reply compare_shard(const FuzzOptions& options, const std::string& prefix, InjectedFault fault) {
  const shards::NamedShard named = options.shard.value_or(shards::NamedShard{});
  shards::StateFile state(options.json, campaign_of(options), {named.shard, *options.search});
  const std::string begin = "warpfiber-dev fuzz: ";
  if (std::string complaint = state.open(document_of(shards::FuzzResults{}), shards::read_fuzz_document);
      !complaint.empty())
    return {kFailed, "", begin + complaint + "\n"};
  std::string said = options.shard ? begin + shard_line(named, *options.search) + "\n" : std::string();
  if (state.progress().ran != 0)
    said += fmt::format("{}{}: {} programs have been run{}\n", begin, options.json, state.progress().ran,
                        state.progress().end == shards::ShardEnd::all ? "; remove the file to run them again" : "");
  Reply reply = compare(options, prefix, fault, &state);
  // A shard without seeds has nothing to do, and has done it.
  if (options.count == 0 && reply.status == 0) {
    state.end(0, shards::ShardEnd::all);
    const std::string why = state.save(document_of(shards::FuzzResults{}), 0);
    if (!why.empty()) reply = {kFailed, "", begin + why + "\n"};
  }
  reply.err = said + reply.err;
  return reply;
}

}  // namespace

Reply fuzz(const std::vector<std::string>& arguments, const std::string& prefix, InjectedFault fault) {
  const ParsedFuzzOptions parsed = parse(arguments);
  if (parsed.reply) return *parsed.reply;
  const FuzzOptions& options = parsed.options;
  if (options.regions && options.print)
    return {0, kernel_program(*options.print, 1, options.regions->mistakes, options.regions->matrices), ""};
  return options.search ? compare_shard(options, prefix, fault) : compare(options, prefix, fault, nullptr);
}

}  // namespace warpfiber::tools::fuzz
