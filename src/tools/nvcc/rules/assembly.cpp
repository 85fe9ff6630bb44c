// SPDX-License-Identifier: Apache-2.0
//
// Reads assembly line by line: .file and .loc give places, labels give functions, and operands of instructions give
// references.
#include "tools/nvcc/rules/assembly.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>

#include "translate/text/lines.hpp"

namespace warpfiber::tools::nvcc {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// The first word of a line and what follows it.
std::pair<std::string_view, std::string_view> first_word(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
  return {line.substr(0, end), trimmed(line.substr(end))};
}

unsigned number(std::string_view& text) {
  text = trimmed(text);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::string quoted_string(std::string_view& text) {
  std::string value;
  const std::size_t open = text.find('"');
  if (open == std::string_view::npos) return value;
  std::size_t i = open + 1;
  for (; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    value += text[i];
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  return value;
}

bool is_symbol_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

class AssemblyReader {
 public:
  Assembly read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      take(trimmed(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(out_);
  }

 private:
  void take(std::string_view line) {
    if (line.empty() || line[0] == '#') return;
    const auto [word, rest] = first_word(line);
    if (word == ".file") {
      file(rest);
    } else if (word == ".type") {
      if (rest.find("function") != std::string_view::npos) typed_.emplace(rest.substr(0, rest.find(',')));
    } else if (word == ".loc") {
      location(rest);
    } else if (word == ".cfi_endproc") {
      in_function_ = false;
    } else if (word.ends_with(':')) {
      label(word.substr(0, word.size() - 1));
    } else if (in_function_ && word[0] != '.') {
      instruction(word, rest);
    }
  }

  /// `.file 1 "a.cu"`, or with the folder before it.
  void file(std::string_view rest) {
    if (rest.empty() || rest[0] == '"') return;
    const unsigned id = number(rest);
    const std::string first = quoted_string(rest);
    const std::string second = trimmed(rest).starts_with('"') ? quoted_string(rest) : std::string();
    files_[id] = second.empty() ? first : second[0] == '/' || id == 0 ? second : first + "/" + second;
    if (id == 0) folder_ = first + "/";
    // The folder of the compilation is not in the names of line markers.
    if (std::string& name = files_[id]; !folder_.empty() && name.starts_with(folder_)) name.erase(0, folder_.size());
  }

  void location(std::string_view rest) {
    const unsigned id = number(rest);
    const unsigned line = number(rest);
    const unsigned column = number(rest);
    at_ = {files_[id], line, column > translate::kLastKeptColumn ? 0 : column};
    if (begins_) out_.functions.emplace(function_, at_);
    begins_ = false;
  }

  void label(std::string_view name) {
    if (typed_.find(std::string(name)) == typed_.end()) return;
    function_ = name;
    in_function_ = begins_ = true;
    at_ = {};
  }

  void instruction(std::string_view word, std::string_view rest) {
    const bool is_call = word == "call" || word == "callq" || word == "jmp" || word == "bl" || word == "b";
    if (is_call) {
      const std::string_view symbol = rest.substr(0, rest.find('@'));
      const bool is_name = !symbol.empty() && std::ranges::all_of(symbol, is_symbol_character) && symbol[0] != '.';
      if (is_name) out_.references.push_back({std::string(symbol), true, false, at_});
      return;
    }
    for (std::size_t i = 0; i < rest.size();) {
      if (!is_symbol_character(rest[i])) {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < rest.size() && is_symbol_character(rest[end])) ++end;
      std::string_view name = rest.substr(i, end - i);
      if (name[0] == '$') name.remove_prefix(1);
      const bool is_other = i > 0 && (rest[i - 1] == '%' || rest[i - 1] == '@');
      const bool is_name = !name.empty() && name[0] != '.' && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
      const bool is_address = word.starts_with("lea") || rest[i] == '$' || rest.substr(end).starts_with("@GOT");
      if (is_name && !is_other) out_.references.push_back({std::string(name), false, is_address, at_});
      i = end;
    }
  }

  std::map<unsigned, std::string> files_;
  std::set<std::string, std::less<>> typed_;
  std::string folder_;
  std::string function_;
  bool in_function_ = false;
  bool begins_ = false;
  translate::SourcePlace at_;
  Assembly out_;
};

}  // namespace

Assembly read_assembly(std::string_view text) {
  return AssemblyReader().read(text);
}

}  // namespace warpfiber::tools::nvcc
