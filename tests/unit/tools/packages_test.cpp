// SPDX-License-Identifier: Apache-2.0
// Files os-release as distributions have them, shortened, and what installs a compiler there.
#include <string>

#include "support/catch.hpp"
#include "tools/packages/packages.hpp"

using namespace warpfiber::tools::packages;

namespace {

struct SystemRow {
  std::string os_release;
  std::string name;
  std::string install;
  std::string reinstall;
  std::string clang_14;
};

}  // namespace

TEST_CASE("a compiler is installed by the package manager of the system, or of one that it is like") {
  const SystemRow row = GENERATE(values<SystemRow>({
      {"PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n", "Debian GNU/Linux 12 (bookworm)",
       "apt-get install g++", "apt-get install --reinstall g++", "apt-get install clang-14"},
      {"NAME=\"Linux Mint\"\nPRETTY_NAME=\"Linux Mint 22\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "Linux Mint 22",
       "apt-get install g++", "apt-get install --reinstall g++", "apt-get install clang-14"},
      {"ID=fedora\nPRETTY_NAME='Fedora Linux 41'\n", "Fedora Linux 41", "dnf install gcc-c++", "dnf reinstall gcc-c++",
       "dnf install clang14"},
      {"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\nPRETTY_NAME=\"Rocky Linux 9.4\"\n", "Rocky Linux 9.4",
       "dnf install gcc-c++", "dnf reinstall gcc-c++", "dnf install clang14"},
      {"ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\nPRETTY_NAME=\"openSUSE Leap 15.6\"\n", "openSUSE Leap 15.6",
       "zypper install gcc-c++", "zypper install --force gcc-c++", "zypper install clang14"},
      {"ID=alpine\r\nPRETTY_NAME=\"Alpine Linux v3.20\"\r\n", "Alpine Linux v3.20", "apk add g++", "apk fix g++",
       "apk add clang14"},
  }));
  CAPTURE(row.name);
  const OperatingSystem of_root = system_of(row.os_release, true);
  CHECK(of_root.name == row.name);
  CHECK(install_command(of_root, Software::gxx) == row.install);
  CHECK(reinstall_command(of_root, Software::gxx) == row.reinstall);
  CHECK(install_command(of_root, Software::clang, "14") == row.clang_14);
  CHECK(install_command(system_of(row.os_release, false), Software::gxx) == "sudo " + row.install);
}

TEST_CASE("a system that says nothing, or is not known, has no command") {
  const std::string text = GENERATE(values<std::string>({"", "ID=plan9\nID_LIKE=unix\n", "IDENTITY=debian\n", "ID\n"}));
  CAPTURE(text);
  CHECK_FALSE(install_command(system_of(text, true), Software::gdb).has_value());
  CHECK_FALSE(reinstall_command(system_of(text, false), Software::python).has_value());
}
