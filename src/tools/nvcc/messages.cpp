// SPDX-License-Identifier: Apache-2.0
//
// Replaces the names that the translation made, and drops messages about its own text. If the program as written has
// an error at the same line, the compiler's message of that is shown instead.
#include "tools/nvcc/messages.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "tools/nvcc/compiler_messages/message_lines.hpp"
#include "tools/nvcc/compiler_messages/missing_headers.hpp"
#include "tools/nvcc/processes/processes.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::nvcc {
namespace {

/// The lines of the errors, `a.cu:12`, in order.
std::vector<std::string> lines_of_errors(const std::string& messages) {
  std::vector<std::string> lines;
  std::istringstream text(without_colours(messages));
  for (std::string line; std::getline(text, line);) {
    const MessagePlace place = place_of(line);
    if (place.is_error()) lines.push_back(place.file + ":" + std::to_string(place.line));
  }
  return lines;
}

void replace_all(std::string& text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

/// g++ names no lambda. The first place behind the line shows which kernel's this is.
const translate::NamedLines* kernel_named_in(const std::vector<std::string>& lines, std::size_t i,
                                             const std::vector<translate::NamedLines>& kernels) {
  for (++i; i < lines.size(); ++i) {
    const std::string plain = without_colours(lines[i]);
    const MessagePlace place = place_of(plain);
    if (place.line == 0 || plain.starts_with("   ")) continue;
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const translate::NamedLines& kernel) {
      return kernel.file == place.file && kernel.first_line <= place.line && place.line <= kernel.last_line;
    });
    return found == kernels.end() ? nullptr : &*found;
  }
  return nullptr;
}

/// `k(int*)::<lambda(int*)>` is `k(int*)` where k is a kernel.
void name_bodies(std::string& line, const std::vector<translate::NamedLines>& kernels) {
  constexpr std::string_view kLambda = "::<lambda(";
  for (std::size_t at = line.find(kLambda); at != std::string::npos; at = line.find(kLambda, at + 1)) {
    const std::size_t end = line.find(")>", at);
    const std::size_t open = line.rfind('(', at);
    const bool is_kernel = std::any_of(kernels.begin(), kernels.end(), [&](const translate::NamedLines& kernel) {
      const std::size_t size = kernel.name.size();
      return open != std::string::npos && open >= size && line.compare(open - size, size, kernel.name) == 0;
    });
    if (is_kernel && end != std::string::npos) line.erase(at, end + 2 - at);
  }
}

/// `'s_shared_type' {aka 'int'}` is `'int'`; clang++ has parentheses.
void name_types(std::string& line) {
  constexpr std::string_view kType = "_shared_type";
  for (std::size_t at = line.find(kType); at != std::string::npos; at = line.find(kType, at)) {
    const std::size_t aka = std::min(line.find(" {aka ", at), line.find(" (aka ", at));
    at += kType.size();
    if (aka == std::string::npos) continue;
    const bool is_behind = without_colours(line.substr(at, aka - at)).find(' ') == std::string::npos;
    const std::size_t end = line.find(line[aka + 1] == '{' ? '}' : ')', aka);
    const std::string_view quote = line.find("‘") != std::string::npos ? "‘" : "'";
    const std::size_t begin = line.rfind(quote, at - kType.size());
    const std::size_t name = line.find(quote, aka);
    if (!is_behind || end == std::string::npos || begin == std::string::npos || name > end) continue;
    line.erase(end, 1);
    line.erase(begin, name - begin);
    at = begin;
  }
}

/// A compiler whose messages go to a file does not colour them of itself.
Command coloured(Command command) {
  const char* terminal = std::getenv("TERM");
  const bool shows = ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  const bool is_given = std::ranges::any_of(command, [](const std::string& word) {
    return word.find("diagnostics-color") != std::string::npos || word.find("color-diagnostics") != std::string::npos;
  });
  if (shows && !is_given) command.insert(command.begin() + 1, "-fdiagnostics-color=always");
  return command;
}

/// g++ says where a message belongs on lines before it, and only where that has changed since the last one.
class MessageFilter {
 public:
  MessageFilter(const std::vector<translate::NamedLines>& variables, const std::vector<std::string>& headers)
      : variables_(variables), headers_(headers) {}

  void take(std::string line) {
    cut_suggestion(line);
    const std::string plain = without_colours(line);
    const MessagePlace place = place_of(plain);
    const bool is_note = place.is_note();
    if (is_note) name_parameters(line);
    if (place.is_error()) name_incompatible(line, place);
    if (is_of_ours(plain, place, is_note)) return;
    const bool is_message = place.is_message();
    if (is_message) {
      is_dropped_ = place.is_error() && is_follow_up(place, plain);
      if (place.is_error() && !is_dropped_) errors_.emplace_back(place.file, place.line);
    }
    if ((is_message || is_note) && !is_dropped_) {
      for (std::string& context : contexts_) text_ += std::exchange(context, {});
    } else if (is_note) {
      contexts_[0].clear();
    }
    if (const int kind = kind_of_context(plain, place); kind >= 0) {
      if (!was_context_) contexts_[kind].clear();
      contexts_[kind] += line;
      was_context_ = true;
      return;
    }
    was_context_ = false;
    // What is said at the end of all is of no message.
    is_dropped_ &= !is_end(plain);
    if (!is_dropped_) text_ += line;
  }

  const std::string& text() const { return text_; }

 private:
  /// g++ looks for similar names everywhere, in our headers too.
  void cut_suggestion(std::string& line) {
    const std::size_t begin = line.find("; did you mean ");
    const std::size_t end = line.find('?', std::min(begin, line.size()));
    if (begin == std::string::npos || end == std::string::npos) return;
    const std::string name = without_colours(line.substr(begin, end - begin));
    suggests_ours_ = name.find("‘warpfiber::") != std::string::npos || name.find("'warpfiber::") != std::string::npos;
    if (suggests_ours_) line.erase(begin, end + 1 - begin);
  }

  /// nvcc's words for two extern __shared__ variables of one name that have two types.
  void name_incompatible(std::string& line, const MessagePlace& place) const {
    const auto is_here = [&place](const translate::NamedLines& variable) {
      return variable.file == place.file && variable.first_line <= place.line && place.line <= variable.last_line;
    };
    const auto shared = std::ranges::find_if(variables_, is_here);
    if (shared == variables_.end()) return;
    const std::string before = line;
    const std::string says = "declaration is incompatible with previous \"" + shared->name + "\": ";
    replace_all(line, "conflicting declaration ", says);
    replace_all(line, "redeclaration of '" + shared->name + "' with a different type: ", says);
    if (line == before) return;
    line.insert(
        line.find_last_not_of('\n') + 1,
        "; extern __shared__ variables of one name have one type: declare an array of char and cast its address");
  }

  /// Whether a line shows such a name, where it is declared, or the source there.
  bool is_of_ours(const std::string& plain, const MessagePlace& place, bool is_note) {
    const std::size_t text = std::min(plain.find_first_not_of(" |"), plain.size() - 1);
    if (suggests_ours_ && plain[0] == ' ' && plain.compare(text, 11, "warpfiber::") == 0) return true;
    if (place.line == 0) {
      return (is_note_of_ours_ || shows_our_source_) && !is_end(plain) && kind_of_context(plain, place) < 0;
    }
    shows_our_source_ = is_note && std::ranges::any_of(headers_, [&](const std::string& folder) {
                          return place.file.starts_with(folder + "/");
                        });
    if (shows_our_source_) contexts_[0].clear();
    is_note_of_ours_ = is_note && place.rest.find("declared here") != std::string_view::npos &&
                       (place.rest.starts_with(" note: ‘warpfiber::") || place.rest.starts_with(" note: 'warpfiber::"));
    if (is_note_of_ours_) contexts_[0].clear();
    return is_note_of_ours_;
  }

  static bool is_end(const std::string& plain) {
    return plain.starts_with("cc1") || plain.starts_with("compilation terminated") || plain.ends_with(" generated.\n");
  }

  /// Functions of CUDA have a parameter more here.
  void name_parameters(std::string& line) {
    constexpr std::string_view kSite = ", warpfiber::Site";
    constexpr std::string_view kExpects = "candidate expects ";
    const std::size_t number = line.find(kExpects) + kExpects.size();
    if (line.find(kExpects) == std::string::npos) {
      candidate_has_site_ = line.find(kSite) != std::string::npos;
    } else if (candidate_has_site_ && line[number] > '1' && line[number] <= '9' && line[number + 1] == ' ') {
      --line[number];
    }
    for (std::size_t at = line.find(kSite); at != std::string::npos; at = line.find(kSite, at)) {
      if (line[at + kSite.size()] == ')') line.erase(at, kSite.size());
      at += 1;
    }
  }

  /// Included from where; in which function or instantiation; none.
  static int kind_of_context(const std::string& plain, const MessagePlace& place) {
    if (plain.starts_with("In file included from") || plain.starts_with("                 from ")) return 0;
    const bool names = plain.find(": In ") != std::string::npos || plain.find(": At ") != std::string::npos;
    if (names && place.line == 0 && plain[0] != ' ' && (plain.ends_with(":\n") || plain.ends_with(",\n"))) return 1;
    return place.line != 0 && place.rest.find("required ") != std::string_view::npos ? 1 : -1;
  }

  bool is_follow_up(const MessagePlace& place, const std::string& plain) {
    const std::string_view rest = place.rest;
    if (!seen_.insert(plain).second) return true;
    const auto says = [rest](const std::string& text) { return rest.starts_with(" error: " + text); };
    return std::ranges::any_of(variables_, [&](const translate::NamedLines& variable) {
      if (!says("‘" + variable.name + "’ was not declared in this scope") &&
          !says("'" + variable.name + "' was not declared in this scope") &&
          !says("use of undeclared identifier '" + variable.name + "'")) {
        return false;
      }
      return std::ranges::any_of(errors_, [&](const auto& error) {
        return error.first == variable.file && variable.first_line <= error.second &&
               error.second <= variable.last_line;
      });
    });
  }

  const std::vector<translate::NamedLines>& variables_;
  const std::vector<std::string>& headers_;
  std::string contexts_[2];
  std::vector<std::pair<std::string, unsigned>> errors_;  // file and line
  std::set<std::string> seen_;
  std::string text_;
  bool was_context_ = false;
  bool suggests_ours_ = false;
  bool candidate_has_site_ = false;
  bool is_note_of_ours_ = false;
  bool shows_our_source_ = false;
  bool is_dropped_ = false;
};

/// What the compiler says of the program as it is written; empty where that has no error.
std::string said_of_written(const Step& step, const Translated& source, const TextCompiler& compiler) {
  translate::TranslateOptions how = source.how;
  how.as_written = true;
  const translate::Translation written = translate::translate(content_of(source.host), content_of(source.device), how);
  if (!written.diagnostics.empty()) return {};
  std::ofstream(step.as_written, std::ios::binary) << written.text;
  const int status = compiler.run(coloured(step.look), {.variables = {}, .error_file = step.messages});
  return status == 0 ? std::string() : without_follow_ups(content_of(step.messages), written.variables, source.headers);
}

void say_what_is_missing(const std::string& messages) {
  for (const std::string& line : missing_libraries(messages)) {
    say("nvcc", line + "; `warpfiber fidelity` lists what the program needs");
  }
}

}  // namespace

bool are_same_errors(const std::string& written, const std::string& translated) {
  const std::vector<std::string> own = lines_of_errors(written);
  const std::vector<std::string> all = lines_of_errors(translated);
  return !own.empty() && std::ranges::find(all, own.front()) != all.end();
}

std::string without_follow_ups(const std::string& messages, const std::vector<translate::NamedLines>& variables,
                               const std::vector<std::string>& headers) {
  MessageFilter kept(variables, headers);
  for (const std::string& line : split_lines(messages)) kept.take(line);
  return kept.text();
}

std::string with_names_of_user(const std::string& messages, const std::vector<translate::NamedLines>& kernels) {
  std::vector<std::string> lines = split_lines(without_inlining(messages));
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    constexpr std::string_view kBody = "In lambda function";
    if (lines[i].find(kBody) != std::string::npos) {
      if (const translate::NamedLines* kernel = kernel_named_in(lines, i, kernels)) {
        replace_all(lines[i], kBody, in_function(kernel->name, messages));
      }
    }
    name_bodies(lines[i], kernels);
    name_types(lines[i]);
    text += lines[i];
  }
  return text;
}

int compile_written(const Step& step) {
  if (step.said.empty()) return run(step.command);
  const int status = run(coloured(step.command), {.variables = {}, .error_file = step.said});
  const std::string said = content_of(step.said);
  if (status != 0) say_what_is_missing(said);
  std::fwrite(said.data(), 1, said.size(), stderr);
  return status;
}

int compile_translated(const Step& step, const Translated& source, const TextCompiler& compiler) {
  constexpr int kNotRun = 126;  // from here on, or ended by a signal
  const int status = compiler.run(coloured(step.command), {.variables = {}, .error_file = step.messages});
  std::string said = content_of(step.messages);
  if (status != 0 && status < kNotRun) {
    const std::string written = said_of_written(step, source, compiler);
    if (are_same_errors(written, said)) said = written;
  }
  said = with_names_of_user(said, source.kernels);
  if (status != 0) say_what_is_missing(said);
  std::fwrite(said.data(), 1, said.size(), stderr);
  return status;
}

}  // namespace warpfiber::tools::nvcc
