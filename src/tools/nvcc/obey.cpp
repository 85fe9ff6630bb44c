// SPDX-License-Identifier: Apache-2.0
//
// Asks suspects.hpp first, which needs no compiler. Only where that says so it compiles the program to assembly and
// calls judge().
#include "tools/nvcc/obey.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/rules/includes.hpp"
#include "tools/nvcc/rules/rules.hpp"
#include "translate/rules/suspects.hpp"

namespace warpfiber::tools::nvcc {
namespace {

/// What the compiler makes of the program as it is written; empty where it does not compile, which it says later.
Assembly assembly_of(const Step& step, const Translated& source, const TextCompiler& compiler) {
  translate::TranslateOptions how = source.how;
  how.as_written = true;
  const translate::Translation written = translate::translate(content_of(source.host), content_of(source.device), how);
  if (!written.diagnostics.empty()) return {};
  std::ofstream(step.as_written, std::ios::binary) << written.text;
  const int status = compiler.run(step.assemble, {.variables = {}, .silent = true});
  return status == 0 ? read_assembly(content_of(step.assembly)) : Assembly();
}

/// The headers that the user's files include.
std::vector<std::string> headers_of(const translate::Tokens& tokens, const std::vector<std::string>& folders) {
  std::set<std::string> files;
  for (const translate::LineMarker& marker : tokens.markers()) {
    if (!translate::is_foreign({marker.file, 1, 1, marker.system}, folders)) {
      files.insert(translate::unescaped(marker.file));
    }
  }
  std::vector<std::string> headers;
  for (const std::string& file : files) {
    for (std::string& header : included_headers(content_of(file))) headers.push_back(std::move(header));
  }
  return headers;
}

/// Names whose headers the program does not include.
std::vector<RuleViolation> judge_includes(const Judged& program, const Step& step) {
  const std::vector<std::string> headers = headers_of(program.tokens, program.folders);
  std::vector<StandardName> names = standard_names(program);
  std::erase_if(names, [&](const StandardName& used) { return includes_header_of(used, headers); });
  if (names.empty()) return {};
  const std::string probe = probe_of(headers, program.folders);
  if (probe.empty()) return {};
  std::ofstream(step.probe, std::ios::binary) << probe;
  const int status = run(step.preprocess_probe, {.variables = {}, .silent = true});
  return status == 0 ? undeclared(names, content_of(step.probed)) : std::vector<RuleViolation>();
}

bool uses_cuda_std(const translate::Tokens& tokens, const translate::Spaces& spaces) {
  return std::ranges::any_of(spaces.functions, [&](const translate::SpacedFunction& function) {
    for (std::size_t i = function.tokens.begin; i + 2 < function.tokens.end; ++i) {
      if (tokens.is(i, "cuda") && tokens.is(i + 1, "::")) return true;
    }
    return false;
  });
}

}  // namespace

bool keeps_rules(const Step& step, const Translated& source, const NvccOptions& options, const TextCompiler& compiler) {
  const translate::Tokens& tokens = source.program->tokens();
  const translate::Outline everything = translate::outline(tokens, true);
  const translate::Spaces spaces = translate::read_spaces(tokens, everything, source.headers);
  const Judged program{tokens,
                       everything,
                       spaces,
                       source.headers,
                       options.relaxed_constexpr,
                       !source.device.empty(),
                       uses_cuda_std(tokens, spaces),
                       architecture_of(options),
                       options.relocatable,
                       !clang_of(options).empty()};
  std::vector<RuleViolation> complaints = judge_includes(program, step);
  std::ranges::move(judge_words(program), std::back_inserter(complaints));
  if (translate::may_break_rules(tokens, everything, spaces)) {
    std::ranges::move(judge(program, assembly_of(step, source, compiler)), std::back_inserter(complaints));
  }
  const auto errors = std::ranges::count_if(complaints, &RuleViolation::is_error);
  for (const RuleViolation& complaint : complaints)
    std::fputs(base::without_controls(complaint.line()).c_str(), stderr);
  if (errors != 0) {
    std::fputs("warpfiber: nvcc refuses this program; -fno-nvcc-rules builds it anyway\n", stderr);
  }
  return errors == 0;
}

}  // namespace warpfiber::tools::nvcc
