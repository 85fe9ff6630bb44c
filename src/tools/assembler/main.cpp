// SPDX-License-Identifier: Apache-2.0
//
// The program `as` of checked compilations, which g++ finds in the folder that -B names. It edits the text as the
// text asks (instrument/checked_assembly.hpp) and becomes the assembler that the compiler would have run: with the same
// arguments, but that edited text comes by its standard input.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrument/checked_assembly.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kNoInput = -1;

int complain(const std::string& what) {
  std::fprintf(stderr, "warpfiber: the assembler of checked programs: %s: %s\n", what.c_str(), std::strerror(errno));
  return kFailed;
}

/// Whether the text comes in at all: not where the assembler is asked for its version.
bool assembles(const std::vector<char*>& arguments) {
  return std::ranges::none_of(arguments, [](std::string_view word) {
    return word == "--version" || word == "--help" || word == "--target-help";
  });
}

/// Which argument is the file of text, as compilers name it; kNoInput where it comes by standard input.
int input_in(const std::vector<char*>& arguments) {
  constexpr std::string_view kWithValue[] = {"-o", "-I", "--MD", "--defsym"};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (std::ranges::find(kWithValue, word) != std::end(kWithValue)) {
      ++i;
    } else if (!word.starts_with('-')) {
      return static_cast<int>(i);
    }
  }
  return kNoInput;
}

std::optional<std::string> content_of(std::FILE* file) {
  if (file == nullptr) return std::nullopt;
  std::string text;
  char buffer[std::size_t{1} << 16];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, size);
  if (std::ferror(file) != 0) return std::nullopt;
  return text;
}

std::optional<std::string> content_of(const char* path) {
  std::FILE* const file = std::fopen(path, "rb");
  std::optional<std::string> text = content_of(file);
  if (file != nullptr) std::fclose(file);
  return text;
}

/// Has this process's standard input, and that of the program it becomes, deliver a text.
bool deliver(const std::string& text) {
  const int file = ::memfd_create("assembly", 0);
  if (file < 0) return false;
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = ::write(file, rest.data(), rest.size());
    if (written < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::lseek(file, 0, SEEK_SET) == 0 && ::dup2(file, STDIN_FILENO) >= 0;
}

std::string shell_quoted(std::string_view word) {
  std::string made = "'";
  for (const char c : word) made += c == '\'' ? "'\\''" : std::string(1, c);
  return made + "'";
}

/// The assembler that the compiler runs without -B. g++ says by COLLECT_GCC how it was called itself. `own` is this
/// program, which COMPILER_PATH may name as well.
std::string next_assembler(std::string_view own) {
  const char* const compiler = std::getenv("COLLECT_GCC");
  if (compiler == nullptr) return "as";
  std::FILE* const answer = ::popen((shell_quoted(compiler) + " -print-prog-name=as").c_str(), "r");
  std::string name = content_of(answer).value_or("");
  if (answer != nullptr) ::pclose(answer);
  while (name.ends_with('\n')) name.pop_back();
  return name.empty() || name == own ? "as" : name;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  std::string assembler = next_assembler(arguments.front());
  char standard_input[] = "-";
  if (assembles(arguments)) {
    const int input = input_in(arguments);
    const std::optional<std::string> text = input == kNoInput ? content_of(stdin) : content_of(arguments[input]);
    if (!text.has_value()) return complain(input == kNoInput ? "standard input" : arguments[input]);
    const std::string edited = warpfiber::instrument::with_checked_calls(*text);
    const bool is_delivered = input == kNoInput || edited.size() != text->size();
    if (is_delivered && !deliver(edited)) return complain("no memory for the text");
    if (is_delivered && input != kNoInput) arguments[static_cast<std::size_t>(input)] = standard_input;
  }
  arguments.front() = assembler.data();
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  return complain(assembler);
}
