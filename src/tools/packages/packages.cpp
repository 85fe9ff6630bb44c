// SPDX-License-Identifier: Apache-2.0
// The table of package managers, found by the ID of the system or of one that it is like.
#include "tools/packages/packages.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/files.hpp"

namespace warpfiber::tools::packages {

struct PackageManager {
  std::string_view systems;    // IDs of os-release, between blanks
  std::string_view install;    // the command, in front of names
  std::string_view reinstall;  // also what is installed already
  std::string_view gxx;
  std::string_view clang;
  std::string_view versioned_clang;  // in front of a version
};

namespace {

constexpr PackageManager kManagers[] = {
    {"debian ubuntu", "apt-get install", "apt-get install --reinstall", "g++", "clang", "clang-"},
    {"fedora rhel centos", "dnf install", "dnf reinstall", "gcc-c++", "clang", "clang"},
    {"suse opensuse sles", "zypper install", "zypper install --force", "gcc-c++", "clang", "clang"},
    {"alpine", "apk add", "apk fix", "g++", "clang", "clang"},
};

/// The value of a variable of the file, without quotes.
std::string value_of(std::string_view os_release, std::string_view name) {
  std::istringstream lines{std::string(os_release)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = std::min(line.find('='), line.size());
    if (line.compare(0, equals, name) != 0 || equals == line.size()) continue;
    std::string value = line.substr(equals + 1);
    std::erase_if(value, [](char c) { return c == '"' || c == '\'' || c == '\r'; });
    return value;
  }
  return {};
}

const PackageManager* manager_of(const std::string& system) {
  for (const PackageManager& manager : kManagers) {
    std::istringstream known{std::string(manager.systems)};
    for (std::string id; known >> id;) {
      if (id == system) return &manager;
    }
  }
  return nullptr;
}

std::string package_of(const PackageManager& manager, Software software, std::string_view version) {
  switch (software) {
    case Software::gxx: return std::string(manager.gxx);
    case Software::clang:
      return version.empty() ? std::string(manager.clang) : std::string(manager.versioned_clang) + std::string(version);
    case Software::gdb: return "gdb";
    case Software::python: return "python3";
  }
  return {};
}

std::string command_line(const OperatingSystem& system, std::string_view command, const std::string& package) {
  return (system.is_root ? "" : "sudo ") + std::string(command) + " " + package;
}

}  // namespace

OperatingSystem system_of(std::string_view os_release, bool is_root) {
  OperatingSystem system{.name = value_of(os_release, "PRETTY_NAME"), .is_root = is_root};
  std::istringstream ids(value_of(os_release, "ID") + " " + value_of(os_release, "ID_LIKE"));
  for (std::string id; system.manager == nullptr && ids >> id;) system.manager = manager_of(id);
  return system;
}

OperatingSystem this_system() {
  constexpr std::size_t kMostMib = 1;
  std::string text;
  for (const char* file : {"/etc/os-release", "/usr/lib/os-release"}) {
    if (auto read = base::read_input(file, kMostMib); text.empty() && read.ok()) text = std::move(read.value());
  }
  return system_of(text, ::geteuid() == 0);
}

std::optional<std::string> install_command(const OperatingSystem& system, Software software, std::string_view version) {
  if (system.manager == nullptr) return std::nullopt;
  return command_line(system, system.manager->install, package_of(*system.manager, software, version));
}

std::optional<std::string> reinstall_command(const OperatingSystem& system, Software software) {
  if (system.manager == nullptr) return std::nullopt;
  return command_line(system, system.manager->reinstall, package_of(*system.manager, software, {}));
}

}  // namespace warpfiber::tools::packages
