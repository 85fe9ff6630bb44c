// SPDX-License-Identifier: Apache-2.0
//
// Builds the parser and runs the subcommand that was named.
#include "tools/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "tools/command_line.hpp"
#include "tools/fidelity/fidelity.hpp"
#include "tools/subcommands.hpp"

namespace warpfiber::tools {
namespace {

void add_devices(CLI::App& app, Reply& reply) {
  CLI::App* command = app.add_subcommand("devices", "The device models, or the numbers of one");
  auto name = std::make_shared<std::string>();
  command->add_option("device", *name, "Name of a model, or path of a device file");
  command->callback([name, &reply] { reply = devices(*name); });
}

void add_occupancy(CLI::App& app, Reply& reply) {
  CLI::App* command = app.add_subcommand("occupancy", "How many blocks of a kernel an SM holds, and why not more");
  auto request = std::make_shared<OccupancyRequest>();
  command->add_option("--device", request->device, "Name of a model, or path of a device file");
  command->add_option("--block", request->block, "Threads of a block")->required()->check(CLI::PositiveNumber);
  command->add_option("--registers", request->kernel.registers_per_thread, "Registers of a thread (default 32)");
  command->add_option("--shared", request->kernel.static_shared, "Static shared memory of a block, in bytes");
  command->add_option("--dynamic-shared", request->dynamic_shared, "Dynamic shared memory of a block, in bytes");
  command->callback([request, &reply] { reply = occupancy(*request); });
}

void add_fidelity(CLI::App& app, Reply& reply) {
  CLI::App* command = app.add_subcommand(
      "fidelity", "What is modelled exactly, approximately or not at all; of what a program uses: fidelity -Iinc a.cu");
  command->prefix_command();  // the words are nvcc's
  command->callback([command, &reply] { reply = fidelity::fidelity(command->remaining()); });
}

/// main.cpp runs these before the parser is made; they are named here for the help text.
void name_builders(CLI::App& app) {
  app.add_subcommand("run", "Builds CUDA files and runs the program: run a.cu -- arguments")->prefix_command();
  app.add_subcommand("check", "Builds CUDA files with access hooks, runs the program and reports what is wrong with it")
      ->prefix_command();
  app.add_subcommand("crosscheck", "Runs a program, or the gallery, here and on a GPU and compares the results")
      ->prefix_command();
  app.add_subcommand("fuzz", "Runs random kernels and compares the simulator with recordings of a GPU, or with a GPU")
      ->prefix_command();
  app.add_subcommand("nvcc", "Builds CUDA programs; takes nvcc's options")->prefix_command();
}

/// How many letters have to be put in, taken out or changed.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

bool is_command(const CLI::App& app, const std::string& word) {
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  return std::ranges::any_of(all, [&](const CLI::App* known) { return known->get_name() == word; });
}

/// What is wrong with a first word that is no subcommand.
Reply unknown_command(const CLI::App& app, const std::string& word) {
  constexpr std::size_t kFarthest = 3;
  std::string nearest;
  std::size_t least = kFarthest;
  for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::size_t far = distance(word, known->get_name());
    if (far < least && far < word.size()) least = far, nearest = known->get_name();
  }
  std::string text = "warpfiber: '" + word + "' is no command";
  if (!nearest.empty()) text += "; did you mean '" + nearest + "'?";
  return {2, "", text + "\nwarpfiber help lists the commands\n"};
}

}  // namespace

Reply command(const std::vector<std::string>& arguments) {
  Reply reply;
  CLI::App app("CUDA kernels on a CPU, checked and explained", "warpfiber");
  app.set_version_flag("-V,--version", "warpfiber " WARPFIBER_VERSION);
  app.require_subcommand(1);
  name_builders(app);
  add_devices(app, reply);
  add_occupancy(app, reply);
  add_fidelity(app, reply);
  if (arguments.empty() || arguments == std::vector<std::string>{"help"}) return {0, app.help(), ""};
  const std::string& word = arguments.front();
  if (word[0] != '-' && !is_command(app, word)) return unknown_command(app, word);
  if (auto parted = parse_words(app, arguments); parted.has_value()) reply = std::move(*parted);
  return reply;
}

}  // namespace warpfiber::tools
