// SPDX-License-Identifier: Apache-2.0
// The command that installs a program which Warpfiber starts, in the words of the distribution that it runs on.
// Pure functions but for this_system(). Source of what a system says of itself: os-release(5).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpfiber::tools::packages {

/// What is started. Each brings what it needs itself: headers of the C and C++ libraries, assembler and linker.
enum class Software : unsigned char { gxx, clang, gdb, python };

/// One of the known ways to install packages.
struct PackageManager;

struct OperatingSystem {
  std::string name{};                       // "Debian GNU/Linux 12 (bookworm)"; empty: it does not say
  const PackageManager* manager = nullptr;  // null: none that is known
  bool is_root = false;                     // who asks may install without sudo
};

/// By what the file os-release holds.
OperatingSystem system_of(std::string_view os_release, bool is_root);
OperatingSystem this_system();

/// "sudo apt-get install g++". `version`: of clang++, where one major version of LLVM is needed; empty: any. Nothing
/// where the system's way to install is not known.
std::optional<std::string> install_command(const OperatingSystem& system, Software software,
                                           std::string_view version = {});

/// The same of software that is installed and does not work.
std::optional<std::string> reinstall_command(const OperatingSystem& system, Software software);

}  // namespace warpfiber::tools::packages
