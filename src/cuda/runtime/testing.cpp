// SPDX-License-Identifier: Apache-2.0
// What the test kit asks of the runtime.
#include <warpfiber/testing.hpp>

#include "process/findings/findings_log.hpp"

namespace warpfiber::testing {

struct FoundErrors::Kept {
  process::ErrorCollector collector;
};

FoundErrors::FoundErrors() : kept_(new Kept) {}

FoundErrors::~FoundErrors() {
  delete kept_;
}

const char* FoundErrors::first_id() const {
  return kept_->collector.first_id();
}

const char* FoundErrors::first_report() const {
  return kept_->collector.first_report();
}

}  // namespace warpfiber::testing
