// SPDX-License-Identifier: Apache-2.0
//
// The findings of several runs of one program as one document of docs/findings-format.md: equal ones folded, each with
// the seed that found it first.
// Invariant: what a document holds is bounded, however many runs there are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/check/documents/document.hpp"
#include "tools/shards/campaign.hpp"

namespace warpfiber::tools::check {

class Merged {
 public:
  Merged();
  /// Goes on from a document of the command.
  explicit Merged(Json document);

  /// One run: the text of the document it has written, and how it ended. A text that is no document, as of a program
  /// that was killed while it wrote it, is as good as none. `signal`: what ended it; 0: it returned `status`, which may
  /// be a number above 128 as well.
  void add(const std::string& document, std::optional<std::uint64_t> seed, int status, int signal = 0);
  /// The same of a program that has started others: the documents of all processes.
  void add(const std::vector<std::string>& documents, std::optional<std::uint64_t> seed, int status, int signal = 0);

  /// The runs of a shard, or of several, by their document. That results differ is held back.
  void add_shard(Json document);
  /// Nothing more is added: results that differ count where no error was found, as they do in one process.
  void add_differences();

  /// A finding about the runs as a whole. `seed`: of the run that showed it; `runs`: how many did.
  void add_finding(Json finding, std::uint64_t seed, std::uint64_t runs);
  /// One that a suppression covers.
  void add_suppressed();

  /// There is no program to run, as it does not build.
  void set_unbuilt() { document_["built"] = false; }
  bool is_built() const { return !document_.contains("built"); }

  /// Under which policies the runs were, each with how many of them.
  void set_policies(const std::vector<std::pair<std::string, std::uint64_t>>& policies);

  /// Which part of which search the runs are.
  void set_campaign(const shards::Campaign& campaign, const std::vector<shards::ShardProgress>& progress) {
    shards::set_campaign(document_, campaign, progress);
  }

  /// A shorter way to the finding at `index` was found.
  void set_again(std::size_t index, const std::string& command);

  /// What became of the fix of the finding at `index` when it was tried: an outcome and a text.
  void set_tried(std::size_t index, Json tried);

  const Json& document() const { return document_; }
  std::string text() const { return shards::text_of(document_); }
  /// The program's own tests, each with the worst outcome that it had in a run; empty where no listener named them.
  const Json& tests() const;
  const Json& findings() const { return document_["findings"]; }
  std::size_t runs() const { return runs_; }

  bool has_hooks() const { return document_["hooks"].get<bool>(); }
  /// What was not checked in any run, and why, as a sentence; empty where everything that ran was checked.
  std::string unchecked() const;
  /// Whether no kernel was checked in any run.
  bool is_empty() const { return launches_ == 0; }
  /// How many kinds of findings there are of a severity.
  std::size_t count(const std::string& severity) const;
  /// The status of the first run that did not end with 0; 0 if all did.
  int failure() const;
  /// The signal that ended that run; 0: it returned.
  int signal() const;

 private:
  void add_counts(const Json& document);
  void add_tests(const Json& tests);
  void add_document(const std::string& document, std::optional<std::uint64_t> seed);
  void fold(Json finding, std::optional<std::uint64_t> seed);
  void fold_of_shard(Json finding, std::map<std::size_t, std::uint64_t>& counted);
  /// Where an equal finding is; nothing: it is a new one.
  std::optional<std::size_t> find_known(const std::vector<std::string>& kinds) const;
  bool append(Json finding, const std::vector<std::string>& kinds);

  Json document_;
  std::map<std::string, std::size_t> kinds_;  // to places in findings()
  std::map<std::string, std::size_t> tests_;  // to places in tests()
  std::vector<std::size_t> last_runs_;        // that had the finding
  std::size_t runs_ = 0;
  std::uint64_t launches_ = 0;
  bool accesses_checked_ = false;  // of some launch
  bool written_ = false;
  Json difference_;  // of results, in shards; null: none
};

/// Takes the finding that results differ out of a document; null: there is none.
Json take_difference(Json& document);

/// What makes two findings one: the id and the sites in any order, as the runtime folds the findings of one process. Of
/// a race one for each pair of sites; the first is of what leads the report.
std::vector<std::string> kinds_of(const Json& finding);

/// The same for a test of the program and of a finding, and for no other.
std::string key_of_test(const Json& test);

/// "rotate.cu:15, rotate.cu:17": where a finding is; empty if that is not known.
std::string places_of(const Json& finding);

/// The first line of a finding's report.
std::string headline_of(const Json& finding);

/// "write by thread (65,0,0)"; empty where no thread is said to do anything.
std::string role_text(const Json& site);

/// The path of a file below `folder` from there, any other as it is.
std::string path_below(const std::string& file, const std::string& folder);

}  // namespace warpfiber::tools::check
