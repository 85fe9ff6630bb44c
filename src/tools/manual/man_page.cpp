// SPDX-License-Identifier: Apache-2.0
//
// Writes roff from the tables of manual.hpp, the same that help.cpp prints.
#include "tools/manual/help.hpp"

namespace warpfiber::tools::manual {
namespace {

struct EnvironmentVariable {
  std::string_view name;
  std::string_view meaning;
};

constexpr EnvironmentVariable kVariables[] = {
    {"CXX", "the host compiler that builds programs if -ccbin names none: a g++ or a clang++"},
    {"WARPFIBER_DEVICE", "the device model, by name or file; warpfiber devices lists them"},
    {"WARPFIBER_POLICY, WARPFIBER_SEED", "the schedule of programs that are run without warpfiber check"},
    {"NO_COLOR", "if set, no colours in reports and pages"},
    {"TMPDIR", "the folder for temporary files"},
    {"CUDA_PATH, CUDA_HOME", "where warpfiber crosscheck looks for NVIDIA's nvcc, after PATH"},
};

/// As roff reads it back: a dash is a minus, so that what is copied from the page works.
std::string escaped(std::string_view text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else {
      roff += c;
    }
  }
  return roff.starts_with('.') || roff.starts_with('\'') ? "\\&" + roff : roff;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string section(std::string_view name) {
  return ".SH " + std::string(name) + "\n";
}

std::string item(const std::string& tag, std::string_view text) {
  return ".TP\n" + tag + "\n" + escaped(text) + "\n";
}

std::string header(std::string title) {
  for (char& c : title) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return ".\\\" printed from the tables of src/tools/manual\n.TH \"" + escaped(title) +
         "\" 1 \"\" \"Warpfiber " WARPFIBER_VERSION "\" \"Warpfiber\"\n.nh\n.ad l\n";
}

std::string items(const std::vector<HelpRow>& rows) {
  std::string text;
  for (const HelpRow& row : rows)
    text += item(bold(row.names) + (row.value.empty() ? "" : " \\fI" + escaped(row.value) + "\\fR"), row.meaning);
  return text;
}

std::string nvcc_section(const Subcommand& subcommand) {
  if (!subcommand.takes_nvcc) return {};
  if (subcommand.name != "nvcc") {
    return ".SS \"Options of nvcc\"\nEvery option of " + bold("warpfiber-nvcc") +
           "(1) is accepted as well. These are used most:\n" + items(nvcc_rows(true));
  }
  std::string ignored;
  for (const std::string& name : ignored_names()) ignored += (ignored.empty() ? "" : ", ") + name;
  return items(nvcc_rows(false)) + ".SS \"Accepted without effect\"\n" + escaped(ignored) + "\n";
}

std::string synopsis(const Subcommand& subcommand) {
  std::string text = section("SYNOPSIS");
  for (const std::string_view line : subcommand.usage) {
    if (line != subcommand.usage.front()) text += ".br\n";
    text += bold(full_name(subcommand)) + " " + escaped(line) + "\n";
  }
  return text;
}

std::string examples(const Subcommand& subcommand) {
  std::string text = section("EXAMPLES");
  for (const Example& example : subcommand.examples) text += item(bold(example.command), example.meaning);
  return text;
}

std::string see_also(const Subcommand& subcommand) {
  std::string text = section("SEE ALSO") + bold(subcommand.command) + "(1)";
  if (subcommand.takes_nvcc && subcommand.name != "nvcc") text += ", " + bold("warpfiber-nvcc") + "(1)";
  for (const std::string_view page : subcommand.pages) text += ",\n" + bold("warpfiber explain " + std::string(page));
  return text + "\n";
}

}  // namespace

std::string man_page(const Subcommand& subcommand) {
  const std::string name = page_name(subcommand);
  std::string text = header(name) + section("NAME") + escaped(name) + " \\- " + escaped(subcommand.summary) + "\n" +
                     synopsis(subcommand) + section("DESCRIPTION") + escaped(subcommand.description) + "\n" +
                     section("OPTIONS") + items(rows_of(subcommand)) + nvcc_section(subcommand) +
                     section("EXIT STATUS");
  for (const ExitCode& code : subcommand.exit_codes) text += item(bold(code.code), code.meaning);
  return text + examples(subcommand) + see_also(subcommand);
}

std::string man_page_of_developers_command() {
  std::string text = header("warpfiber-dev") + section("NAME") +
                     "warpfiber\\-dev \\- random kernels, and recordings of a GPU\n" + section("SYNOPSIS") +
                     bold("warpfiber-dev") + " \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n" + section("DESCRIPTION") +
                     "For those who work on Warpfiber, or record what a GPU computes.\n" + section("COMMANDS");
  for (const Subcommand& subcommand : subcommands(kDevelopersCommand))
    text += item(bold(page_name(subcommand)) + "(1)", subcommand.summary);
  return text + section("OPTIONS") + items(rows_of({.options = command_options()})) + section("SEE ALSO") +
         bold("warpfiber") + "(1)\n";
}

std::string man_page_of_command() {
  std::string text =
      header("warpfiber") + section("NAME") + "warpfiber \\- CUDA kernels on a CPU, checked and explained\n" +
      section("SYNOPSIS") + bold("warpfiber") + " \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n" + section("DESCRIPTION") +
      "Runs CUDA kernels on a CPU and reports what is wrong with them: races, deadlocks, invalid accesses "
      "and misuse of CUDA. Neither a GPU nor a CUDA toolkit is needed.\n" +
      section("COMMANDS");
  for (const Subcommand& subcommand : subcommands())
    text += item(bold(page_name(subcommand)) + "(1)", subcommand.summary);
  text += section("OPTIONS") + items(rows_of({.options = command_options()})) + section("ENVIRONMENT");
  for (const EnvironmentVariable& variable : kVariables) text += item(bold(variable.name), variable.meaning);
  return text + ".PP\nAll variables of programs: " + bold("warpfiber explain options") + ".\n" + section("SEE ALSO") +
         bold("warpfiber explain") + " lists the kinds of findings and the pages of the documentation.\n";
}

}  // namespace warpfiber::tools::manual
