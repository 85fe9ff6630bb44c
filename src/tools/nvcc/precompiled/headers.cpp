// SPDX-License-Identifier: Apache-2.0
//
// For each header there are two files: cuda_runtime-HASH.ii, which begins with a comment about the compiler and its
// options, and cuda_runtime-HASH.pch, or .gch of g++. HASH is that of the first, which is there from the first time
// that the header is asked for. An empty second one stands for a header that cannot be precompiled.
#include "tools/nvcc/precompiled/headers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/nvcc/processes/processes.hpp"
#include "tools/nvcc/regions/unit.hpp"
#include "tools/options/output.hpp"

namespace warpfiber::tools::nvcc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "cuda_runtime-";  // of files in the folder begin with this; others are not touched
constexpr const char* kEndings[] = {".ii", ".pch", ".gch"};
constexpr std::chrono::hours kDay{24};
constexpr std::uintmax_t kRoom = std::uintmax_t{64} << 20U;  // of the folder, to make one

const char* ending_of(const HeaderCompilation& compilation) {
  return compilation.by_clang ? ".pch" : ".gch";
}

/// The words of a command that say how text is read: without its files, without what is made of them, and without
/// colours.
std::vector<std::string> reading_words(const HeaderCompilation& compilation) {
  constexpr std::string_view kLeftOut[] = {"-c", "-S", "-fsyntax-only", "-o", "-x", "c++-cpp-output"};
  std::vector<std::string> words = compilation.command;
  std::erase_if(words, [&](const std::string& word) {
    return word == compilation.input || word == compilation.output || word.starts_with("-fdiagnostics-color") ||
           std::ranges::find(kLeftOut, word) != std::end(kLeftOut);
  });
  return words;
}

/// What the compiler's result depends on besides the text.
std::string described(const HeaderCompilation& compilation) {
  std::error_code unknown;
  const fs::path compiler = fs::canonical(program_path(compilation.command.front()), unknown);
  std::string text = fmt::format("// {} {} {}", compiler.string(), fs::file_size(compiler, unknown),
                                 fs::last_write_time(compiler, unknown).time_since_epoch().count());
  for (const std::string& word : reading_words(compilation)) {
    text += " " + (word.starts_with('@') ? content_of(word.substr(1)) : word);
  }
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\\', '/');  // which would go on with the comment in the next line
  return text + "\n";
}

/// Writes the precompiled header to `made` from the text in `text`.
std::vector<std::string> making(const HeaderCompilation& compilation, const std::string& text,
                                const std::string& made) {
  std::vector<std::string> command = reading_words(compilation);
  const std::vector<std::string> gcc{"-fpreprocessed", "-x", "c++-header", text, "-o", made};
  const std::vector<std::string> clang{"-c", "-x",      "c++-cpp-output", text,      "-o",
                                       made, "-Xclang", "-emit-pch",      "-Xclang", "-fno-pch-timestamp"};
  const std::vector<std::string>& more = compilation.by_clang ? clang : gcc;
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

/// Whether the file is what the compiler of that name makes. Where g++ is a name of clang++, it is none of g++.
bool is_precompiled(const std::string& path, bool by_clang) {
  std::ifstream file(path, std::ios::binary);
  std::string head(4, ' ');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file.good() && (by_clang || head == "gpch");
}

/// Caches and those that compile on other machines: what they start is not the program of this name.
bool is_launcher(const std::string& compiler) {
  constexpr std::string_view kLaunchers[] = {"ccache", "sccache", "distcc", "icecc"};
  std::error_code unknown;
  const std::string name = fs::canonical(compiler, unknown).filename().string();
  return std::ranges::find(kLaunchers, name) != std::end(kLaunchers);
}

bool belongs_to_user(const std::string& path) {
  struct stat known {};
  return ::stat(path.c_str(), &known) == 0 && known.st_uid == ::geteuid();
}

/// Whether no other user can have put text there, or can put some.
bool is_own(const std::string& path) {
  struct stat known {};
  return ::stat(path.c_str(), &known) == 0 && known.st_uid == ::geteuid() && (known.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Makes the folder, for this user alone, or finds it. False where it cannot be trusted.
bool is_ready(const std::string& folder, bool complains) {
  std::error_code failure;
  fs::create_directories(fs::path(folder).parent_path(), failure);
  ::mkdir(folder.c_str(), 0700);
  if (is_own(folder)) return true;
  static std::once_flag said;
  if (complains && fs::exists(folder, failure)) {
    std::call_once(said, [&folder] {
      const char* const why = belongs_to_user(folder) ? "others can write to it; chmod go-w" : "it is another user's";
      say("nvcc",
          fmt::format("{}: not used for precompiled headers: {}, or set WARPFIBER_CACHE to a folder of your own",
                      folder, why));
    });
  }
  return false;
}

/// Held while a header is made of a text. Whoever cannot have it goes without the header, and does not wait.
class MakingLock {
 public:
  // NFS locks only what is open for writing.
  explicit MakingLock(const std::string& text) : file_(::open(text.c_str(), O_RDWR | O_CLOEXEC)) {
    // On a file system without locks several may make the same.
    is_held_ = file_ >= 0 && (::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
  }
  ~MakingLock() {
    if (file_ >= 0) ::close(file_);
  }
  MakingLock(const MakingLock&) = delete;
  MakingLock& operator=(const MakingLock&) = delete;
  bool is_held() const { return is_held_; }

 private:
  int file_;
  bool is_held_ = false;
};

/// Gives a finished file its name, so that others see whole files; what several write at the same time is the same.
bool put(const std::string& own, const std::string& name) {
  std::error_code failure;
  fs::permissions(own, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove, failure);
  fs::rename(own, name, failure);
  if (failure) fs::remove(own, failure);
  return !failure && fs::exists(name, failure);
}

void touch(const std::string& path) {
  std::error_code failure;
  fs::last_write_time(path, fs::file_time_type::clock::now(), failure);
}

bool is_older_than_a_day(const fs::path& path) {
  std::error_code failure;
  return fs::last_write_time(path, failure) < fs::file_time_type::clock::now() - kDay;
}

/// Machines may share the folder, so the name has this one's in it.
std::string of_this_process(const std::string& stem) {
  char host[64] = {};
  ::gethostname(host, sizeof host - 1);
  return fmt::format("{}.{}-{:x}", stem, ::getpid(), std::hash<std::string_view>{}(host));
}

}  // namespace

std::string cache_folder(const std::string& of_build) {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text != nullptr ? text : "");
  };
  if (const std::string own = value("WARPFIBER_CACHE"); !own.empty()) return own == "off" ? std::string() : own;
  // Who uses another's build, or keeps HOME as root, leaves their folders alone.
  if (!of_build.empty() && belongs_to_user(fs::path(of_build).parent_path().string())) return of_build;
  if (const std::string caches = value("XDG_CACHE_HOME"); caches.starts_with('/')) return caches + "/warpfiber";
  const std::string home = value("HOME");
  return belongs_to_user(home) ? home + "/.cache/warpfiber" : std::string();
}

std::string PrecompiledHeaders::find_or_make(const std::string& header, const HeaderCompilation& compilation) const {
  const std::string compiler = program_path(compilation.command.front());
  if (folder_.empty() || compiler.empty() || is_launcher(compiler)) return {};
  if (!is_ready(folder_, compilation.complains)) return {};
  const std::string text = described(compilation) + header;
  const std::string stem = fmt::format("{}/{}{}", folder_, kPrefix, unit_of(text));
  const std::string precompiled = stem + ending_of(compilation);
  std::error_code failure;
  const bool is_known = is_own(stem + ".ii") && content_of(stem + ".ii") == text;
  if (is_known && is_own(precompiled)) {
    const bool is_refused = fs::file_size(precompiled, failure) == 0;
    if (!is_refused) return touch(precompiled), precompiled;
    if (is_older_than_a_day(precompiled)) fs::remove(precompiled, failure);
    return {};
  }
  // Another's file, in whose place a new one comes.
  fs::remove(precompiled, failure);
  if (!is_known) {
    fs::remove(stem + ".ii", failure);
    const std::string own = of_this_process(stem) + ".ii";
    if (!write_content(own, text) || !put(own, stem + ".ii")) return fs::remove(own, failure), std::string();
    remove_oldest();
    if (!compilation.is_made_at_once) return {};
  }
  touch(stem + ".ii");
  return make(stem, compilation);
}

std::string PrecompiledHeaders::make(const std::string& stem, const HeaderCompilation& compilation) const {
  const MakingLock lock(stem + ".ii");
  std::error_code failure;
  const fs::space_info space = fs::space(folder_, failure);
  if (!lock.is_held() || failure || space.available < kRoom) return {};
  const std::string precompiled = stem + ending_of(compilation);
  const std::string own = of_this_process(stem) + ending_of(compilation);
  const std::string said = own + ".said";
  constexpr int kMostOfCompilers = 125;  // above, it was ended or could not be run
  const int status = run(making(compilation, stem + ".ii", own), {.output_file = "/dev/null", .error_file = said});
  const bool is_silent = content_of(said).empty();
  fs::remove(said, failure);
  if (status == 0 && is_silent && is_precompiled(own, compilation.by_clang) && put(own, precompiled)) {
    remove_oldest();
    return precompiled;
  }
  fs::remove(own, failure);
  if (status <= kMostOfCompilers && write_content(own, "")) put(own, precompiled);
  return {};
}

void PrecompiledHeaders::remove_oldest() const {
  std::error_code failure;
  std::map<fs::path, fs::file_time_type> used[2];  // of texts alone, and of headers
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, failure)) {
    fs::path stem = entry.path();
    if (!stem.filename().string().starts_with(kPrefix)) continue;
    // Of compilers that were killed: a file that was not renamed.
    const bool is_unfinished = stem.extension() == ".tmp" || stem.stem().extension() != "";
    if (is_unfinished) {
      if (is_older_than_a_day(stem)) fs::remove(stem, failure);
      continue;
    }
    const bool is_header = stem.extension() != ".ii" && entry.file_size(failure) != 0;
    // The clock of files begins in the future.
    fs::file_time_type& last =
        used[is_header].try_emplace(stem.replace_extension(), fs::file_time_type::min()).first->second;
    last = std::max(last, entry.last_write_time(failure));
  }
  for (const auto& [stem, last] : used[1]) used[0].erase(stem);
  for (const auto& kept : used) {
    std::vector<std::pair<fs::file_time_type, fs::path>> order;
    for (const auto& [stem, last] : kept) order.emplace_back(last, stem);
    std::ranges::sort(order, std::greater());
    for (std::size_t i = most_; i < order.size(); ++i) {
      for (const char* ending : kEndings) fs::remove(order[i].second.string() + ending, failure);
    }
  }
}

std::vector<std::string> with_precompiled(const std::string& precompiled) {
  return {"-Xclang", "-include-pch", "-Xclang", precompiled};
}

}  // namespace warpfiber::tools::nvcc
