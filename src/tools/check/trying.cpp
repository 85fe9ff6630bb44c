// SPDX-License-Identifier: Apache-2.0
//
// A copy of the source has the lines that are added, and #line directives, so that all other lines keep their numbers
// and findings can be compared. This command is run on the copy as a child.
#include "tools/check/trying.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/environment.hpp"
#include "tools/nvcc/processes/ending.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::check {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTried = 16;       // builds of one command
constexpr std::size_t kMostSeedsTried = 20;  // of each
constexpr unsigned kSeconds = 120;           // a run may take where the options do not say

/// The lines added to one file, by the line that they stand behind.
using Added = std::map<unsigned, std::vector<std::string>>;

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;  // what cannot be looked at is another file
  return fs::equivalent(one, other, ignored);
}

std::string with_lines(const std::string& content, const std::string& name, const Added& added) {
  std::istringstream lines(content);
  std::string text = fmt::format("#line 1 \"{}\"\n", name);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    text += line + '\n';
    const auto here = added.find(++number);
    if (here == added.end()) continue;
    for (const std::string& one : here->second) text += one + '\n';
    text += fmt::format("#line {} \"{}\"\n", number + 1, name);
  }
  return text;
}

/// One way to mend a finding, as copies of the program's sources.
class PatchedSources {
 public:
  /// `way`: a list of insertions of a finding.
  PatchedSources(const Json& way, const CheckOptions& options, std::string folder)
      : options_(options), folder_(std::move(folder)) {
    std::map<std::string, Added> files;
    for (const Json& one : way) {
      files[one["file"].get<std::string>()][one["after_line"].get<unsigned>()].push_back(
          one["text"].get<std::string>());
    }
    std::error_code failed;
    fs::remove_all(folder_, failed);
    for (const auto& [file, added] : files) ok_ = ok_ && write(file, added);
  }

  bool ok() const { return ok_; }

  /// The words of the command with the copies in place of what was copied.
  std::vector<std::string> words() const {
    std::vector<std::string> made;
    const std::string& output = options_.program.output;
    for (std::size_t i = 0; i < options_.words.size(); ++i) {
      const std::string& word = options_.words[i];
      if (!output.empty() && word == "-o") {
        ++i;
      } else if (output.empty() || !(word.starts_with("-o") && word.ends_with(output))) {
        const auto copy = copies_.find(word);
        made.push_back(copy == copies_.end() ? word : copy->second);
      }
    }
    for (const std::string& one : folders_) made.push_back("-I" + one);
    return made;
  }

 private:
  /// The source that the file is, or the one that is in a folder above it.
  std::optional<std::string> source_of(const std::string& file) const {
    const std::vector<std::string>& inputs = options_.program.inputs;
    auto found = std::ranges::find_if(inputs, [&](const std::string& one) { return is_same_file(one, file); });
    if (found == inputs.end()) {
      found = std::ranges::find_if(inputs, [&](const std::string& one) { return !path_below(one, file).empty(); });
    }
    return found == inputs.end() ? std::nullopt : std::optional(*found);
  }
  /// Of `file` from the folder of `source`; empty where it is not below that.
  static std::string path_below(const std::string& source, const std::string& file) {
    const fs::path folder = fs::absolute(source).lexically_normal().parent_path();
    const fs::path below = fs::absolute(file).lexically_normal().lexically_relative(folder);
    return below.empty() || *below.begin() == ".." ? std::string() : below.string();
  }

  bool write(const std::string& file, const Added& added) {
    const std::optional<std::string> source = source_of(file);
    if (!source.has_value()) return false;
    if (!is_same_file(*source, file) && !copy(*source, *source, {})) return false;
    return copy(*source, file, added);
  }
  bool copy(const std::string& source, const std::string& file, const Added& added) {
    const bool is_source = is_same_file(source, file);
    const std::string below = path_below(source, file);
    if (below.empty() || (is_source && copies_.contains(source) && added.empty())) return !below.empty();
    const fs::path to = fs::path(folder_) / below;
    std::error_code failed;
    fs::create_directories(to.parent_path(), failed);
    const std::string name = is_source ? source : file;
    if (!nvcc::write_content(to.string(), with_lines(nvcc::content_of(file), name, added))) return false;
    folders_.insert(fs::absolute(file).parent_path().string());
    if (is_source) copies_[source] = to.string();
    return true;
  }

  const CheckOptions& options_;
  const std::string folder_;
  std::map<std::string, std::string> copies_;  // by source
  std::set<std::string> folders_;              // of what was copied, where further headers are
  bool ok_ = true;
};

/// What became of a way.
struct Attempt {
  std::string outcome{};  // as in the document
  std::string text{};
  bool helps = false;
};

class Trying {
 public:
  Trying(Merged& merged, const CheckOptions& options, const std::string& scratch, const nvcc::RepeatedInput& input)
      : merged_(merged), options_(options), scratch_(scratch), input_(input) {
    for (const Json& finding : merged.findings()) {
      for (std::string& kind : kinds_of(finding)) before_.insert(std::move(kind));
    }
  }

  void run() {
    for (std::size_t i = 0; i < merged_.findings().size() && nvcc::stopped_by() == 0; ++i) {
      if (merged_.findings()[i].contains("insertions")) try_ways(i);
    }
    if (untried_ != 0)
      tools::say("check", fmt::format("--try-fixes: fixes that were not tried for want of time: {}", untried_));
  }

 private:
  /// One after the other, until one helps.
  void try_ways(std::size_t index) {
    const Json finding = merged_.findings()[index];
    Json tried;
    for (const Json& way : finding["insertions"]) {
      const bool is_first = &way == &finding["insertions"].front();
      if (tried_ == kMostTried) {
        untried_ += is_first ? 1 : 0;
        break;
      }
      const std::optional<Attempt> attempt = attempt_at(finding, way);
      if (!attempt.has_value() || nvcc::stopped_by() != 0) continue;
      ++tried_;
      if (!is_first && !attempt->helps) continue;
      tried = {{"outcome", attempt->outcome}, {"text", (is_first ? "" : as_text(way) + ": ") + attempt->text}};
      if (!is_first) tried["insertions"] = way;
      if (attempt->helps) break;
    }
    if (tried.is_null()) return;
    tools::say("check", fmt::format("the fix of {} at {}: {}", finding["id"].get<std::string>(), places_of(finding),
                                    tried["text"].get<std::string>()));
    merged_.set_tried(index, std::move(tried));
  }

  static std::string as_text(const Json& way) {
    std::vector<std::string> parts;
    for (const Json& one : way)
      parts.push_back(
          fmt::format("{} after line {}", one["text"].get<std::string>(), one["after_line"].get<unsigned>()));
    return fmt::format("does not help; instead {}", fmt::join(parts, ", "));
  }

  std::optional<Attempt> attempt_at(const Json& finding, const Json& way) const {
    const std::string folder = scratch_ + "/tried";
    const PatchedSources sources(way, options_, folder);
    if (!sources.ok()) return std::nullopt;
    const std::string document = scratch_ + "/tried.json";
    std::error_code ignored;  // there may be none
    fs::remove(document, ignored);
    nvcc::run(command(sources, finding, document), {.variables = {}, .silent = true}, &input_);
    const Json found = read_document(nvcc::content_of(document));
    if (found.is_discarded() || found.contains("built"))
      return Attempt{"does not build", "tried: the program does not build with it", false};
    return judged(finding, found);
  }

  std::vector<std::string> command(const PatchedSources& sources, const Json& finding,
                                   const std::string& document) const {
    const unsigned seconds = options_.timeout == 0 ? kSeconds : options_.timeout;
    std::vector<std::string> made{base::own_program(),    "check", "--json", document, "--timeout",
                                  std::to_string(seconds)};
    if (finding.contains("seed")) {
      const std::size_t runs = std::min(options_.seeds.size(), kMostSeedsTried);
      made.insert(made.end(), {"--keep-going", "--seeds", std::to_string(runs), "--seed", finding["seed"].dump()});
    }
    std::ranges::move(sources.words(), std::back_inserter(made));
    if (!options_.arguments.empty()) made.emplace_back("--");
    made.insert(made.end(), options_.arguments.begin(), options_.arguments.end());
    return made;
  }

  static std::string ending_of(const Json& run) {
    return run.contains("signal") ? "does not finish" : "returns " + run["status"].dump();
  }

  Attempt judged(const Json& finding, const Json& found) const {
    const std::vector<std::string> kinds = kinds_of(finding);
    std::string others;
    bool stays = false;
    bool has_known = false;
    for (const Json& one : found["findings"]) {
      const std::vector<std::string> now = kinds_of(one);
      const auto is_in = [&now](const auto& all) {
        return std::ranges::any_of(
            now, [&all](const std::string& kind) { return std::ranges::find(all, kind) != std::ranges::end(all); });
      };
      if (one["severity"] == "info") continue;
      stays = stays || is_in(kinds);
      has_known = has_known || is_in(before_);
      if (!is_in(before_))
        others += fmt::format("{}{} at {}", others.empty() ? "" : "; ", one["id"].get<std::string>(), places_of(one));
    }
    if (stays) return {"finding stays", "tried: the finding stays", false};
    if (!others.empty()) return {"other findings", "tried: other findings: " + others, false};
    if (!found["failed_runs"].empty() && merged_.failure() == 0)
      return {"other findings", "tried: the program " + ending_of(found["failed_runs"][0]) + " with it", false};
    if (has_known) return {"finding is gone", "tried: this finding is gone, others stay", true};
    return {"nothing found", "tried: nothing found", true};
  }

  Merged& merged_;
  const CheckOptions& options_;
  const std::string& scratch_;
  const nvcc::RepeatedInput& input_;
  std::set<std::string> before_;  // kinds that were found without a fix
  std::size_t tried_ = 0;
  std::size_t untried_ = 0;
};

}  // namespace

void try_fixes(Merged& merged, const CheckOptions& options, const std::string& scratch,
               const nvcc::RepeatedInput& input) {
  Trying(merged, options, scratch, input).run();
}

}  // namespace warpfiber::tools::check
