// SPDX-License-Identifier: Apache-2.0
//
// Compares exit codes, then output, then copies (comparing.hpp), and makes sentences of the first
// differences. Likely reasons are found in the program's text (sources.hpp).
#include "tools/crosscheck/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/text.hpp"
#include "tools/crosscheck/comparing.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

constexpr int kSignalled = 128;
constexpr int kLastSignal = 64;

/// A program that returns such a number has the exit code of one that a signal ended.
std::string ending(int status) {
  const int signal = status - kSignalled;
  if (signal <= 0 || signal > kLastSignal) return fmt::format("exit code {}", status);
  return fmt::format("exit code {}, as after signal {} ({})", status, signal, strsignal(signal));
}

std::string distance_text(std::uint64_t distance) {
  return distance == kNeverEqual ? "not comparable" : base::thousands(distance) + " ULP apart";
}

std::string element_text(const Likeness& likeness, std::uint64_t ulp) {
  std::string text =
      fmt::format("element {} of {}", base::thousands(likeness.first), base::thousands(likeness.elements));
  if (likeness.type == "bytes")
    text = fmt::format("byte {} of {}", base::thousands(likeness.first), base::thousands(likeness.elements));
  if (likeness.type != "bytes") text += fmt::format(" ({})", likeness.type);
  text += fmt::format(": the simulator has {}, the GPU {}", likeness.ours, likeness.theirs);
  if (likeness.floating) text += fmt::format("; {}, {} allowed", distance_text(likeness.distance), ulp);
  if (likeness.differing > 1) text += fmt::format("; {} differ", base::thousands(likeness.differing));
  return text;
}

/// What to do about a buffer whose type is not known.
std::string type_text(const Likeness& likeness) {
  const std::string unknown = "\n      its type is not known, so all bits are compared; ";
  if (likeness.maybe.empty()) return unknown + "if it holds floats, pass their type: --as half";
  const char* const most = likeness.apart == 0 || likeness.apart == kNeverEqual ? "" : "up to ";
  return unknown + fmt::format("if these are {}s, they are {}{}: pass their type with --as {}", likeness.maybe, most,
                               distance_text(likeness.apart), likeness.maybe);
}

class Comparing {
 public:
  Comparing(const Sources& sources, const Rules& rules) : sources_(sources), rules_(rules) {}

  Comparison run(const RunResult& ours, const RunResult& theirs) {
    if (ours.exit_code != theirs.exit_code) {
      differ(fmt::format("the simulator's run ended with {}, the GPU's with {}", ending(ours.exit_code),
                         ending(theirs.exit_code)));
    }
    compare_copies(ours.copies, theirs.copies);
    compare_outputs(ours.output, theirs.output);
    return std::move(made_);
  }

 private:
  void differ(std::string sentence) {
    made_.equal = false;
    made_.differences.push_back(std::move(sentence));
  }

  void compare_outputs(const std::string& ours, const std::string& theirs) {
    OutputLikeness output = compare_output(ours, theirs, rules_.ulp);
    const char* hint = "";
    if (!output.equal) {
      const OutputLikeness sorted = compare_output(sorted_lines(ours), sorted_lines(theirs), rules_.ulp);
      made_.reordered_lines = sorted.equal && rules_.any_order;
      if (made_.reordered_lines) output = sorted;
      if (sorted.equal) hint = "\n      the same lines, in another order: --any-order allows that";
    }
    made_.lines = static_cast<std::size_t>(std::ranges::count(theirs, '\n'));
    made_.tolerated += output.tolerated;
    if (!output.equal) {
      differ(fmt::format("standard output differs in line {}\n      simulator  {}\n      GPU        {}{}", output.line,
                         output.ours, output.theirs, hint));
    }
  }

  void compare_copies(const std::vector<Copy>& ours, const std::vector<Copy>& theirs) {
    const std::size_t common = std::min(ours.size(), theirs.size());
    for (std::size_t i = 0; i < common; ++i) {
      if (!compare_copy(ours[i], theirs[i])) return;
    }
    if (ours.size() == theirs.size()) return;
    const Copy& next = ours.size() > common ? ours[common] : theirs[common];
    differ(fmt::format("the simulator's run copied {} to the host, the GPU's {}; the first without a counterpart is {}",
                       base::counted(ours.size(), "buffer"), base::counted(theirs.size(), "buffer"), name_of(next)));
  }

  /// False at the first that differs.
  bool compare_copy(const Copy& ours, const Copy& theirs) {
    if (ours.managed != theirs.managed || ours.ordinal != theirs.ordinal || ours.extent() != theirs.extent()) {
      differ(fmt::format("{} of the simulator's run is {} in the GPU's", name_of(ours), name_of(theirs)));
      return false;
    }
    ++made_.copies;
    made_.bytes += ours.extent();
    if (ours.hash == theirs.hash) return true;
    const std::size_t kept = std::min(ours.bytes.size(), theirs.bytes.size());
    const std::string_view our_bytes = std::string_view(ours.bytes).substr(0, kept);
    const std::string_view their_bytes = std::string_view(theirs.bytes).substr(0, kept);
    const std::string own_type = type_of(ours, sources_);
    const std::string& type = own_type.empty() ? rules_.as : own_type;
    const Likeness likeness = compare_elements(our_bytes, their_bytes, type, rules_.ulp);
    const bool whole = kept == ours.extent();
    if (rules_.any_order && whole && !likeness.equal && same_elements(our_bytes, their_bytes, type)) {
      ++made_.reordered;
      return true;
    }
    made_.tolerated += likeness.tolerated;
    made_.largest = std::max(made_.largest, likeness.largest);
    if (likeness.equal && whole) return true;
    if (likeness.equal) {
      differ(fmt::format("{} differs after the first {}, which are all that was stored", name_of(ours),
                         base::bytes_text(kept)));
      return false;
    }
    differ(name_of(ours) + " differs\n      " + element_text(likeness, rules_.ulp) +
           (type.empty() ? type_text(likeness) : std::string()));
    made_.copy = DifferentCopy{ours, likeness};
    return false;
  }

  const Sources& sources_;
  Rules rules_;
  Comparison made_;
};

/// What of a program's text makes floats differ between processors.
struct Cause {
  std::vector<const char*> signs;
  const char* sentence;
};

const std::vector<Cause>& causes() {
  static const std::vector<Cause> all{
      {{"atomicAdd", "atomic_ref", "fetch_add"}, "atomics add in a different order in each run"},
      {{"__sinf", "__cosf", "__expf", "__logf", "__powf", "__fdividef", "__tanf"},
       "fast intrinsics (__expf and others) are approximations by the hardware"},
      {{"sinf", "cosf", "expf", "logf", "powf", "tanf", "sin(", "cos(", "exp(", "log(", "pow(", "tan(", "erf", "gamma",
        "cbrt"},
       "functions of the mathematical library differ in their last bits between libraries (docs/intrinsics.md)"},
  };
  return all;
}

}  // namespace

Comparison compare(const RunResult& simulator, const RunResult& gpu, const Sources& sources, const Rules& rules) {
  return Comparing(sources, rules).run(simulator, gpu);
}

std::string reasons(const Sources& sources, bool fast_math) {
  std::string text =
      "nvcc contracts a*b+c to a fused multiply-add and the simulator's compiler does not: build with -fmad=false to "
      "check";
  if (fast_math) text += "; -use_fast_math makes the GPU approximate";
  for (const Cause& cause : causes()) {
    const auto has = [&sources](const char* sign) { return mention(sources, sign); };
    if (std::ranges::any_of(cause.signs, has)) text += std::string("; ") + cause.sentence;
  }
  return text;
}

std::string summary(const Comparison& comparison) {
  std::string text = fmt::format("{} ({}) and {}", base::counted(comparison.copies, "buffer"),
                                 base::bytes_text(comparison.bytes), base::counted(comparison.lines, "line"));
  if (comparison.tolerated != 0) {
    text += fmt::format(", {} within the tolerance", base::thousands(comparison.tolerated));
    if (comparison.largest != 0) text += fmt::format(" (up to {} ULP)", comparison.largest);
  }
  if (comparison.reordered != 0)
    text += fmt::format(", {} in another order", base::counted(comparison.reordered, "buffer"));
  if (comparison.reordered_lines) text += ", lines in another order";
  return text;
}

}  // namespace warpfiber::tools::crosscheck
