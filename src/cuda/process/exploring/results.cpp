// SPDX-License-Identifier: Apache-2.0
//
// Appends a record for each copy to the file, under a mutex, and flushes it. A forked child leaves the file of its
// parent alone.
#include "process/exploring/results.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/locks/annotated_mutex.hpp"
#include "memory/objects.hpp"
#include "process/process_state.hpp"
#include "process/reporter.hpp"
#include "process/settings/exploring.hpp"
#include "symbols/symboliser.hpp"
#include "symbols/user_code.hpp"

namespace warpfiber::process {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostKept = std::size_t{64} << 20;  // bytes of a process
constexpr std::size_t kMostRecords = std::size_t{1} << 16;

std::string gathered(const CopyPlace& place, const Box& box) {
  std::string bytes;
  bytes.reserve(box.bytes());
  box.for_each_row([&](std::size_t y, std::size_t z) { bytes.append(place.row(y, z), box.width); });
  return bytes;
}

}  // namespace

class ResultsFile {
 public:
  void add(const std::string& bytes, const CopyPlace& from, const record::LaunchOrder& order) {
    const base::Lock lock(mutex_);
    if (getpid() != owner_ || records_ == kMostRecords || !open()) return;
    ++records_;
    const std::size_t kept = std::min(bytes.size(), kMostKept - kept_);
    kept_ += kept;
    ordered_json record = {{"number", order.number}, {"call", order.call}, {"place", place_before(order.returns_to)},
                           {"bytes", bytes.size()},  {"kept", kept},       {"hash", std::hash<std::string>{}(bytes)}};
    if (const auto object = memory::object_at(from.at)) {
      record["object"] = {{"name", object->name},
                          {"type", object->type},
                          {"offset", from.at - object->base},
                          {"extent", object->bytes},
                          {"declared", object->line != 0 ? to_json({.file = object->file, .line = object->line})
                                                         : place_before(object->made_by)}};
    }
    const std::string line = record.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fwrite(bytes.data(), 1, kept, file_);
    std::fputc('\n', file_);
    std::fflush(file_);
  }

 private:
  bool open() WARPFIBER_REQUIRES(mutex_) {
    if (file_ != nullptr || complained_) return file_ != nullptr;
    const std::string& path = explore_settings().results;
    file_ = std::fopen(path.c_str(), "wbe");
    complained_ = file_ == nullptr;
    if (complained_)
      print_line({record::ReasonKind::file_not_written, "WARPFIBER_RESULTS", path, std::strerror(errno)});
    return !complained_;
  }

  static ordered_json to_json(const record::Place& place) {
    if (!place.known()) return nullptr;
    return {{"file", place.file}, {"line", place.line}, {"function", place.function}};
  }

  /// Of the call that ends before this instruction.
  static ordered_json place_before(const void* instruction) {
    if (instruction == nullptr) return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(instruction) - 1;
    return to_json(symbols::user_place(symbols::Symboliser::of_process().frames(address)));
  }

  base::Mutex mutex_;
  const pid_t owner_ = getpid();
  std::FILE* file_ WARPFIBER_GUARDED_BY(mutex_) = nullptr;  // stays open until the process ends
  std::size_t kept_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  std::size_t records_ WARPFIBER_GUARDED_BY(mutex_) = 0;
  bool complained_ WARPFIBER_GUARDED_BY(mutex_) = false;
};

namespace {

ResultsFile& results() {
  return ProcessState::of_process().results.get();
}

}  // namespace

bool keeps_results() {
  return !explore_settings().results.empty();
}

void keep_result(const CopyPlace& to, const CopyPlace& from, const Box& box, const record::LaunchOrder& order) {
  results().add(gathered(to, box), from, order);
}

}  // namespace warpfiber::process
