// SPDX-License-Identifier: Apache-2.0
//
// Reads LLVM's text line by line and adds a call of the alignment hook behind each copy that is not of a local
// variable. Relies on clang++ having optimised nothing yet.
#include "instrument/aligned_copies.hpp"

#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace warpfiber::instrument {
namespace {

constexpr std::string_view kHook = "@__warpfiber_expect_aligned";

std::string_view last_word(std::string_view text) {
  return text.substr(text.find_last_of(' ') + 1);
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

/// What stands between the brackets that open at `open`, parted by commas outside of further brackets.
std::vector<std::string_view> arguments_at(std::string_view line, std::size_t open) {
  std::vector<std::string_view> arguments;
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t i = open; i < line.size(); ++i) {
    const char c = line[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 || (depth == 1 && c == ',')) {
      arguments.push_back(line.substr(begin, i - begin));
      begin = i + 2;
    }
    if (depth == 0) break;
  }
  return arguments;
}

/// The pointer that a line computes another one from: of `%3 = bitcast %struct.s* %2 to i8*`, %2.
std::string_view origin_in(std::string_view operation) {
  if (operation.starts_with("bitcast ")) return last_word(operation.substr(0, operation.find(" to ")));
  if (!operation.starts_with("getelementptr ")) return {};
  const std::size_t comma = operation.find(", ");
  if (comma == std::string_view::npos) return {};
  const std::string_view rest = operation.substr(comma + 2);
  return last_word(rest.substr(0, rest.find(',')));
}

class Rewriter {
 public:
  std::string rewrite(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
      read(line);
      made_ += line;
      made_ += '\n';
    }
    if (!pointer_.empty()) {
      made_ += "declare void ";
      made_ += kHook;
      made_ += "(" + pointer_ + ", i64, i32)\n";
    }
    return std::move(made_);
  }

 private:
  void read(std::string_view line) {
    if (line.starts_with("define ")) own_.clear();
    if (line.starts_with("  %")) add_local(line.substr(2));
    const std::size_t copy = line.find("call void @llvm.memcpy.");
    if (copy == std::string_view::npos) return;
    const std::vector<std::string_view> arguments = arguments_at(line, line.find('(', copy));
    if (arguments.size() < 3) return;
    const std::size_t place = line.find("!dbg ");
    const std::string_view where = place == std::string_view::npos
                                       ? std::string_view()
                                       : line.substr(place, line.find_first_of(", ", place + 5) - place);
    expect(arguments[1], false, where);
    expect(arguments[0], true, where);
  }

  /// A variable of the function, or a part of one.
  void add_local(std::string_view line) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return;
    const std::string_view operation = line.substr(equals + 3);
    if (operation.starts_with("alloca ") || own_.contains(origin_in(operation))) own_.emplace(line.substr(0, equals));
  }

  /// `argument`: "i8* align 16 %7".
  void expect(std::string_view argument, bool write, std::string_view where) {
    const std::string_view name = last_word(argument);
    const std::size_t align = argument.find(" align ");
    if (!name.starts_with('%') || align == std::string_view::npos || own_.contains(name)) return;
    const auto alignment = base::parse_number(std::string(first_word(argument.substr(align + 7))));
    if (!alignment.has_value() || *alignment < 2) return;
    pointer_ = first_word(argument);
    made_ += "  call void ";
    made_ += kHook;
    made_ += "(" + pointer_ + " " + std::string(name) + ", i64 " + std::to_string(*alignment) +
             (write ? ", i32 1)" : ", i32 0)");
    if (!where.empty()) made_ += ", " + std::string(where);
    made_ += '\n';
  }

  std::string made_;
  std::string pointer_;  // the type that pointers have here, once a call was made
  std::set<std::string, std::less<>> own_;
};

}  // namespace

std::string with_aligned_copies(const std::string& text) {
  return Rewriter().rewrite(text);
}

}  // namespace warpfiber::instrument
