// SPDX-License-Identifier: Apache-2.0
//
// Writes the man pages and the completion scripts into the folders of an installation; the build calls it.
#include "tools/manual/completion.hpp"

#include <filesystem>

#include "base/files.hpp"
#include "tools/manual/help.hpp"

namespace warpfiber::tools::manual {
namespace {

namespace fs = std::filesystem;

bool write(const fs::path& path, const std::string& text) {
  std::error_code ignored;  // what cannot be made is found when the file is written
  fs::create_directories(path.parent_path(), ignored);
  return base::write_output(path, text).empty();
}

}  // namespace

Reply write_manual(const std::string& folder, const CompletionNames& names) {
  const fs::path share(folder);
  bool is_written = write(share / "man/man1/warpfiber.1", man_page_of_command());
  is_written = write(share / "man/man1/warpfiber-dev.1", man_page_of_developers_command()) && is_written;
  for (const std::string_view command : {kUsersCommand, kDevelopersCommand}) {
    for (const Subcommand& subcommand : subcommands(command))
      is_written = write(share / "man/man1" / (page_name(subcommand) + ".1"), man_page(subcommand)) && is_written;
  }
  is_written = write(share / "bash-completion/completions/warpfiber", bash_completion(names)) && is_written;
  is_written = write(share / "zsh/site-functions/_warpfiber", zsh_completion(names)) && is_written;
  is_written = write(share / "fish/vendor_completions.d/warpfiber.fish", fish_completion(names)) && is_written;
  return is_written ? Reply{} : Reply{1, "", "warpfiber: the manual cannot be written to " + folder + "\n"};
}

}  // namespace warpfiber::tools::manual
