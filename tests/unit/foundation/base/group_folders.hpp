// SPDX-License-Identifier: Apache-2.0
// Control groups in a folder that stands for theirs.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/catch.hpp"

namespace warpfiber::test {

namespace fs = std::filesystem;

class Groups {
 public:
  Groups() : mounted_((fs::temp_directory_path() / "warpfiber-groups-XXXXXX").string()) {
    REQUIRE(::mkdtemp(mounted_.data()) != nullptr);
  }
  ~Groups() { fs::remove_all(mounted_); }
  Groups(const Groups&) = delete;

  void put(const std::string& group, const std::string& file, const std::string& text) const {
    fs::create_directories(mounted_ + group);
    std::ofstream(mounted_ + group + "/" + file) << text << "\n";
  }
  const std::string& mounted() const { return mounted_; }

 private:
  std::string mounted_;
};

}  // namespace warpfiber::test
