// SPDX-License-Identifier: Apache-2.0
//
// A file is made by link(), the one operation that fails where a name is taken, also over NFS: of two processes that
// were given the same file, one learns that it is the other's.
#include "tools/shards/state_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/files.hpp"

namespace warpfiber::tools::shards {
namespace {

constexpr std::size_t kMostMib = 512;

enum class Claim { made, is_there, failed };

/// Makes the file with this text where there is none. `why` is set where it failed.
Claim claim_file(const std::string& path, const std::string& text, std::string& why) {
  char host[64] = {};
  ::gethostname(host, sizeof host - 1);
  const std::string own = fmt::format("{}.{}.{}", path, host, ::getpid());
  why = base::write_output(own, text);
  if (!why.empty()) return Claim::failed;
  const int error = ::link(own.c_str(), path.c_str()) == 0 ? 0 : errno;
  ::unlink(own.c_str());
  if (error == 0) return Claim::made;
  if (error == EEXIST) return Claim::is_there;
  // A file system without links.
  why = base::write_output(path, text);
  return why.empty() ? Claim::made : Claim::failed;
}

/// Whether it is a file, or nothing yet; not a terminal or a pipe.
bool keeps_state(const std::string& path) {
  struct stat known {};
  return ::stat(path.c_str(), &known) != 0 || S_ISREG(known.st_mode);
}

}  // namespace

StateFile::StateFile(std::string path, Campaign campaign, const ShardProgress& progress)
    : path_(keeps_state(path) ? std::move(path) : std::string()), campaign_(std::move(campaign)), progress_(progress) {}

std::string StateFile::open(ShardJson fresh, const ReadDocument& read) {
  if (path_.empty()) return {};
  if (!std::filesystem::exists(path_)) {
    set_campaign(fresh, campaign_, {progress_});
    std::string why;
    const Claim claim = claim_file(path_, text_of(fresh), why);
    if (claim == Claim::failed) return path_ + ": the file cannot be written: " + why;
    if (claim == Claim::made) return {};
  }
  const auto text = base::read_input(path_, kMostMib);
  if (!text.ok()) return path_ + ": the file cannot be read: " + text.error();
  const std::string complaint = complaint_about(read(text.value()));
  return complaint.empty() ? std::string() : path_ + ": the file " + complaint;
}

std::string StateFile::complaint_about(ShardJson document) {
  if (document.is_discarded()) return "is there and is not of a shard; remove it, or name another one with --json";
  const std::vector<ShardProgress> shards = shards_of(document);
  const ShardProgress& known = shards.front();
  if (shards.size() != 1 || known.shard != progress_.shard || known.all != progress_.all) {
    return fmt::format(
        "is of shard {} of seeds {}, not of {} of {}; each shard needs a file of its own, as --json found-%s.json: %s "
        "is "
        "its number",
        shard_text(known.shard), range_text(known.all), shard_text(progress_.shard), range_text(progress_.all));
  }
  // Where nothing was run, as of a program that could not be built, there is nothing to lose.
  if (known.ran == 0 && known.end == ShardEnd::none) return {};
  if (const std::string other = difference_between(*campaign_of(document), campaign_); !other.empty())
    return "cannot be continued: this call " + other + "; remove the file to begin anew";
  progress_ = known;
  known_ = std::move(document);
  return {};
}

std::string StateFile::save(ShardJson document, std::uint64_t ran) {
  progress_.ran = ran;
  if (path_.empty()) return {};
  set_campaign(document, campaign_, {progress_});
  const std::string why = base::write_output(path_, text_of(document));
  return why.empty() ? std::string() : path_ + ": the file cannot be written: " + why;
}

void StateFile::end(std::uint64_t ran, ShardEnd end) {
  progress_.ran = ran;
  progress_.end = end;
}

}  // namespace warpfiber::tools::shards
