// SPDX-License-Identifier: Apache-2.0
// The page about a run: one HTML file with its data inside, which needs neither a network nor a server
// (docs/reports.md). page.html, page.css and the scripts are files of this folder that are compiled in.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "report/source_text.hpp"
#include "trace/tracks.hpp"

namespace warpfiber::trace {

/// What others know of the run.
struct PageFacts {
  std::string command;
  std::string findings;                                         // a document of docs/findings-format.md
  std::string profile;                                          // a document of docs/counters.md
  std::function<std::string(const void* kernel)> short_kernel;  // as findings name it
};

/// At most about `most` bytes; what does not fit is left out, and the page says so.
void write_page(const Trace& trace, const TraceNames& names, const PageFacts& facts, report::SourceText& sources,
                std::ostream& to, std::size_t most = std::size_t{5} << 20);

/// The data of the page by themselves.
void write_page_data(const Trace& trace, const TraceNames& names, const PageFacts& facts, report::SourceText& sources,
                     std::ostream& to, std::size_t most);

}  // namespace warpfiber::trace
