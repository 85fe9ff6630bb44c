// SPDX-License-Identifier: Apache-2.0
// Launches with findings come first while there is room, then the others in their order. Events are arrays of numbers,
// in which small differences stand for steps and addresses; data.js reads them.
#include "trace/page/page.hpp"

#include <algorithm>
#include <cstddef>
#include <iosfwd>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/catalogue/catalogue.hpp"
#include "report/operations.hpp"
#include "trace/page/parts.hpp"
#include "trace/trace_json.hpp"

namespace warpfiber::trace {
namespace {

// JSON on its way into a page of HTML, in pieces. Nothing in it ends the element that holds it.

class PageText {
 public:
  explicit PageText(std::ostream& to) : to_(to) {}

  /// Bytes so far, without what escapes add.
  std::size_t size() const { return written_ + kept_.size(); }

  PageText& operator+=(std::string_view text);
  /// Writes what is kept. Nothing may be added later without another call.
  void flush();

 private:
  std::ostream& to_;
  std::string kept_;
  std::size_t written_ = 0;
};

PageText& PageText::operator+=(std::string_view text) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  kept_ += text;
  if (kept_.size() >= kPiece) flush();
  return *this;
}

void PageText::flush() {
  written_ += kept_.size();
  for (std::size_t at = 0; at < kept_.size();) {
    const std::size_t end = std::min(kept_.find('<', at), kept_.size());
    to_.write(kept_.data() + at, static_cast<std::streamsize>(end - at));
    if (end < kept_.size()) to_ << "\\u003c";
    at = end + 1;
  }
  kept_.clear();
}

constexpr std::size_t kMostLaunches = 400;       // that are listed
constexpr std::size_t kMostResidencies = 4'000;  // of a launch
constexpr std::size_t kMostLines = 4'000;        // of a source file
constexpr std::uint32_t kMostExact = 8;

std::string triple(const base::Triple& t) {
  return fmt::format("[{},{},{}]", t.x, t.y, t.z);
}

/// Leaves out accesses of a block until `most` remain: of each thread and instruction all but the first few between two
/// barriers, then those of whole warps, but for the lines of findings. Of other events,
/// which are shorter, twice as many are kept.
class ThinnedEvents {
 public:
  ThinnedEvents(const std::vector<TraceEvent>& events, std::size_t most, unsigned warp_size,
                const std::vector<bool>& is_of_finding)
      : ordinals_(ordinals_of(events)) {
    std::uint32_t each = kMostExact;
    while (each > 1 && count(each) > most) each /= 2;
    const std::size_t warps =
        count(each) > most ? warps_that_fit(events, most, warp_size, is_of_finding) : ~std::size_t{0};
    std::size_t accesses = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const bool is_access = ordinals_[i] != 0;
      const bool fits = ordinals_[i] <= each && accesses < most &&
                        (events[i].thread / warp_size < warps || is_of_finding[events[i].site]);
      if (is_access ? !fits : kept.size() - accesses >= 2 * most) {
        ++left_out;
        continue;
      }
      accesses += is_access ? 1 : 0;
      kept.push_back(&events[i]);
    }
  }

  std::vector<const TraceEvent*> kept;
  std::uint64_t left_out = 0;

 private:
  std::size_t count(std::uint32_t each) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(ordinals_, [each](auto ordinal) { return ordinal != 0 && ordinal <= each; }));
  }

  /// How many warps may have the first accesses of their threads.
  std::size_t warps_that_fit(const std::vector<TraceEvent>& events, std::size_t most, unsigned warp_size,
                             const std::vector<bool>& is_of_finding) const {
    std::size_t used = 0;
    std::vector<std::size_t> of_warp;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (ordinals_[i] != 1) continue;
      const std::size_t warp = events[i].thread / warp_size;
      if (warp >= of_warp.size()) of_warp.resize(warp + 1);
      ++(is_of_finding[events[i].site] ? used : of_warp[warp]);
    }
    std::size_t warps = 0;
    while (warps < of_warp.size() && used + of_warp[warps] <= most) used += of_warp[warps++];
    return std::max<std::size_t>(1, warps);
  }

  /// Of accesses, the how manieth of its thread and instruction since the block's last barrier it is; else 0.
  static std::vector<std::uint32_t> ordinals_of(const std::vector<TraceEvent>& events) {
    std::vector<std::uint32_t> ordinals;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> seen;
    for (const TraceEvent& event : events) {
      if (event.kind == TraceEventKind::release && event.address == 0) seen.clear();
      ordinals.push_back(event.kind == TraceEventKind::access ? ++seen[{event.thread, event.site}] : 0);
    }
    return ordinals;
  }

  std::vector<std::uint32_t> ordinals_;
};

class PageData {
 public:
  PageData(const Trace& trace, const TraceNames& names, const PageFacts& facts, report::SourceText& sources,
           std::size_t most, std::ostream& to)
      : trace_(trace), names_(names), facts_(facts), sources_(sources), most_(most), text_(to) {}

  void write() {
    const base::Lock lock(trace_.mutex());
    text_ += fmt::format(R"({{"version":1,"command":{},"steps":{},"findings":{},"profile":{})",
                         json_text(facts_.command), trace_.steps(), facts_.findings, facts_.profile);
    note_files_of_findings();
    for (std::size_t i = 0; i < trace_.launches().size(); ++i) note_files(trace_.launches()[i]);
    write_sources();
    write_operations();
    write_launches();
    text_ += "}";
    text_.flush();
  }

 private:
  std::size_t room() const { return text_.size() < most_ ? most_ - text_.size() : 0; }

  void note_files_of_findings() {
    const nlohmann::json document = nlohmann::json::parse(facts_.findings, nullptr, false);
    if (document.is_discarded()) return;
    for (const nlohmann::json& finding : document.value("findings", nlohmann::json::array())) {
      for (const nlohmann::json& site : finding.value("sites", nlohmann::json::array())) {
        if (!site.contains("file") || !site["file"].is_string()) continue;
        const auto file = site["file"].get<std::string>();
        files_.insert(file);
        lines_of_findings_.insert(place_text({.file = file, .line = site.value("line", 0U), .function = {}}));
      }
    }
  }

  void note_files(const LaunchTrace& launch) {
    for (const WorkerTrace& worker : launch.workers) {
      for (const TraceSite& site : worker.sites) {
        const record::Place place = place_of(site, names_);
        if (place.known()) files_.insert(place.file);
      }
    }
  }

  /// Whole files, as far as half of the room goes.
  void write_sources() {
    text_ += ",\"sources\":{";
    bool first = true;
    for (const std::string& file : files_) {
      const bool has_longer_name = std::ranges::any_of(
          files_, [&](const auto& other) { return other.size() > file.size() && other.ends_with('/' + file); });
      if (has_longer_name) continue;
      std::string lines;
      for (unsigned number = 1; number <= kMostLines; ++number) {
        const auto line = sources_.line(file, number);
        if (!line.has_value()) break;
        lines += (number == 1 ? "" : ",") + json_text(*line);
      }
      if (lines.empty() || lines.size() > room() / 2) continue;
      text_ += fmt::format("{}{}:[{}]", first ? "" : ",", json_text(file), lines);
      first = false;
    }
    text_ += "}";
  }

  void write_operations() WARPFIBER_REQUIRES(trace_.mutex()) {
    constexpr std::size_t kMost = 2'000;
    text_ += ",\"operations\":[";
    std::size_t written = 0;
    for (const OperationTrace& operation : trace_.operations()) {
      if (written == kMost) break;
      const record::StreamOperation& what = operation.operation;
      text_ += fmt::format("{}[{},{},{},{},{},{},{}]", written++ == 0 ? "" : ",", what.number, what.stream, what.device,
                           json_text(report::operation_name(what.what)), operation.submitted, operation.begin,
                           operation.end);
    }
    text_ += fmt::format("],\"left_out_operations\":{}",
                         trace_.operations().size() - written + trace_.left_out_operations());
  }

  /// Which launches are listed, by number from 0, and in which order their events are written.
  std::vector<std::size_t> listed() const WARPFIBER_REQUIRES(trace_.mutex()) {
    const std::vector<LaunchTrace>& launches = trace_.launches();
    std::vector<std::size_t> order;
    for (const bool found : {true, false}) {
      for (std::size_t i = 0; i < launches.size() && order.size() < kMostLaunches; ++i) {
        if (launches[i].found.empty() != found) order.push_back(i);
      }
    }
    return order;
  }

  void write_launches() WARPFIBER_REQUIRES(trace_.mutex()) {
    std::vector<std::size_t> order = listed();
    text_ += fmt::format(",\"left_out_launches\":{},\"launches\":[",
                         trace_.launches().size() - order.size() + trace_.left_out_launches());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i != 0) text_ += ",";
      // The last quarter of the room is for what launches that come later have to say of themselves.
      share_ = room() * 3 / 4 / std::min<std::size_t>(order.size() - i, 4);
      write_launch(trace_.launches()[order[i]], order[i] + 1);
    }
    text_ += "]";
  }

  void write_launch(const LaunchTrace& launch, std::size_t number) {
    text_ += fmt::format(
        R"({{"number":{},"name":{},"kernel":{},"grid":{},"block":{},"cluster":{},"warp":{},"device":{},"stream":{},)",
        number, json_text(names_.kernel(launch.kernel)), json_text(facts_.short_kernel(launch.kernel)),
        triple(launch.facts.grid), triple(launch.facts.block), triple(launch.facts.cluster), launch.facts.warp_size,
        json_text(launch.facts.device), launch.stream);
    text_ += fmt::format(R"("begin":{},"end":{},"found":[)", launch.begin, launch.end);
    for (std::size_t i = 0; i < launch.found.size(); ++i)
      text_ += fmt::format("{}\"{}\"", i == 0 ? "" : ",", report::id_of(launch.found[i]));
    text_ += "],\"watched\":[";
    for (std::size_t i = 0; i < launch.watched.size(); ++i) {
      const WatchedExpression& watched = launch.watched[i];
      text_ += fmt::format("{}[{},\"{}\",{},{},{}]", i == 0 ? "" : ",", json_text(watched.text), watched.form,
                           watched.bytes, watched.of_thread ? 1 : 0, json_text(watched.error));
    }
    text_ += "],\"workers\":[";
    for (std::size_t i = 0; i < launch.workers.size(); ++i) {
      if (i != 0) text_ += ",";
      write_worker(launch, launch.workers[i]);
    }
    text_ += "]}";
  }

  void write_worker(const LaunchTrace& launch, const WorkerTrace& worker) {
    text_ += fmt::format(R"({{"worker":{},"accesses":{},"left_out_blocks":{},"left_out_accesses":{},"sites":[)",
                         worker.worker, worker.accesses, worker.left_out_blocks, worker.left_out_accesses);
    is_of_finding_.clear();
    for (std::size_t i = 0; i < worker.sites.size(); ++i) {
      const TraceSite& site = worker.sites[i];
      const record::Place place = place_of(site, names_);
      is_of_finding_.push_back(place.known() && lines_of_findings_.contains(place_text(place)));
      text_ +=
          fmt::format("{}[{},{},{},{}]", i == 0 ? "" : ",", json_text(place.file), place.line, site.reads, site.writes);
    }
    text_ += "],\"residencies\":[";
    const std::size_t most = std::min(worker.residencies.size(), std::min(kMostResidencies, room() / 512));
    for (std::size_t i = 0; i < most; ++i) {
      const BlockResidency& block = worker.residencies[i];
      text_ += fmt::format("{}[{},{},{},{}]", i == 0 ? "" : ",", block.rank, block.slot, block.begin, block.end);
    }
    text_ += fmt::format("],\"left_out_residencies\":{},\"blocks\":[",
                         worker.residencies.size() - most + worker.left_out_residencies);
    const std::size_t of_block = share_ / std::max<std::size_t>(1, launch.workers.size() * worker.blocks.size());
    for (std::size_t i = 0; i < worker.blocks.size(); ++i) {
      if (i != 0) text_ += ",";
      write_block(worker.blocks[i], of_block, launch.facts.warp_size);
    }
    text_ += "]}";
  }

  void write_block(const BlockTrace& block, std::size_t bytes, unsigned warp_size) {
    constexpr std::size_t kBytesOfEvent = 70;  // an access with two others
    const std::string watched = watched_of(block, bytes / 3);
    bytes -= std::min(bytes, watched.size());
    const ThinnedEvents events(block.events, bytes / kBytesOfEvent, warp_size, is_of_finding_);
    text_ += fmt::format(R"({{"rank":{},"slot":{},"begin":{},"end":{},"left_out":{},"areas":[)", block.rank, block.slot,
                         block.begin, block.end, block.left_out + events.left_out);
    for (std::size_t i = 0; i < block.areas.size(); ++i) {
      const TraceArea& area = block.areas[i];
      const std::string made = area.made_by == nullptr ? "" : place_text(names_.place(area.made_by));
      text_ += fmt::format("{}[{},{},{},{},{},{}]", i == 0 ? "" : ",", area.address, area.bytes, area.shared ? 1 : 0,
                           json_text(area.name), json_text(area.type), json_text(made));
    }
    text_ += fmt::format("],\"watched\":[{}],\"events\":[", watched);
    TraceStep step = 0;
    std::map<std::uint32_t, std::uint64_t> addresses;  // the last of each site
    for (std::size_t i = 0; i < events.kept.size(); ++i) {
      const TraceEvent& event = *events.kept[i];
      if (i != 0) text_ += ",";
      write_event(event, event.step - std::exchange(step, event.step), addresses[event.site]);
    }
    text_ += "]}";
  }

  /// Of each expression how many samples are left out, and samples: the step, then threads with their new values. What
  /// has no value is a number below 0.
  static std::string watched_of(const BlockTrace& block, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < block.watched.size(); ++i) {
      const WatchedValues& values = block.watched[i];
      const std::size_t most = text.size() + (bytes - std::min(bytes, text.size())) / (block.watched.size() - i);
      std::string samples;
      std::size_t written = 0;
      for (const WatchedSample& sample : values.samples) {
        const std::string more = fmt::format(",[{}{}]", sample.step, changes_of(sample));
        if (text.size() + samples.size() + more.size() > most) break;
        samples += more;
        ++written;
      }
      const std::uint64_t left_out = values.left_out + values.samples.size() - written;
      text += fmt::format("{}[{}{}]", i == 0 ? "" : ",", left_out, samples);
    }
    return text;
  }

  static std::string changes_of(const WatchedSample& sample) {
    constexpr std::uint64_t kExact = std::uint64_t{1} << 53;  // numbers below are the same in JavaScript
    std::string text;
    for (const WatchedChange& change : sample.changes) {
      const WatchedCell& cell = change.cell;
      text += fmt::format(",{},", change.thread);
      if (cell.state != WatchedState::value) {
        text += std::to_string(-static_cast<int>(cell.state));
      } else {
        text += cell.value < kExact ? std::to_string(cell.value) : fmt::format("\"{:x}\"", cell.value);
      }
    }
    return text;
  }

  /// Zeros at the end are left out.
  void write_event(const TraceEvent& event, TraceStep step, std::uint64_t& last_address) {
    const bool is_access = event.kind == TraceEventKind::access;
    std::int64_t address = 0;
    if (is_access) address = static_cast<std::int64_t>(event.address - std::exchange(last_address, event.address));
    const std::int64_t numbers[] = {static_cast<std::int64_t>(event.kind),
                                    static_cast<std::int64_t>(step),
                                    event.thread,
                                    event.site,
                                    event.count,
                                    is_access ? event.flags : static_cast<std::int64_t>(event.width),
                                    address,
                                    0,
                                    event.repeats,
                                    event.spins,
                                    is_access ? static_cast<std::int64_t>(event.last - event.step) : 0};
    constexpr std::size_t kValue = 7;
    const std::uint64_t word = is_access ? event.value : event.address;
    std::size_t used = std::size(numbers);
    while (used > 1 && numbers[used - 1] == 0 && !(used - 1 == kValue && word != 0)) --used;
    text_ += "[";
    for (std::size_t i = 0; i < used; ++i) {
      if (i != 0) text_ += ",";
      if (i == kValue && word != 0) {
        text_ += fmt::format("\"{:x}\"", word);
      } else {
        text_ += std::to_string(numbers[i]);
      }
    }
    text_ += "]";
  }

  const Trace& trace_;
  const TraceNames& names_;
  const PageFacts& facts_;
  report::SourceText& sources_;
  std::size_t most_;
  std::size_t share_ = 0;  // bytes that the events of a launch may have
  PageText text_;
  std::set<std::string> files_;
  std::set<std::string> lines_of_findings_;  // as place_text()
  std::vector<bool> is_of_finding_;          // of the sites of a worker
};

}  // namespace

void write_page_data(const Trace& trace, const TraceNames& names, const PageFacts& facts, report::SourceText& sources,
                     std::ostream& to, std::size_t most) {
  PageData(trace, names, facts, sources, most, to).write();
}

void write_page(const Trace& trace, const TraceNames& names, const PageFacts& facts, report::SourceText& sources,
                std::ostream& to, std::size_t most) {
  constexpr std::size_t kOfParts = std::size_t{256} << 10;
  for (const PagePart& part : page_parts()) {
    to << part.before;
    if (part.is_data) write_page_data(trace, names, facts, sources, to, most - std::min(most / 4, kOfParts));
  }
}

}  // namespace warpfiber::trace
