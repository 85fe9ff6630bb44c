// SPDX-License-Identifier: Apache-2.0
// The numbers of the sites of accesses and calls, as one launch looks them up. Belongs to one worker.
#pragma once

#include "check/calls/callers.hpp"
#include "check/cells/sites.hpp"

namespace warpfiber::check {

class AccessSites {
 public:
  /// `callers`: knows by which calls threads come to accesses; null: nobody does.
  explicit AccessSites(Callers* callers) : callers_(callers) {}

  /// The site of `instruction`, reached by the calls above `frame`. Instructions have lines while no calls lead to
  /// them, so that the fast paths (quick/quick.hpp) find those only.
  unsigned number(const void* instruction, const char* frame) {
    if (const SiteLine* line = lines_.known(instruction)) return line->number();
    if (callers_ == nullptr) return lines_.find(instruction).number();
    const unsigned site = callers_->number(instruction, frame);
    return callers_->is_alone(instruction) ? lines_.find(instruction).number() : site;
  }
  unsigned number(const Site& call, const char* frame) {
    return callers_ == nullptr ? number_of_site(call) : callers_->number(call, frame);
  }

  SiteCache& lines() { return lines_; }
  const SiteCache& lines() const { return lines_; }

 private:
  SiteCache lines_;
  Callers* callers_;
};

}  // namespace warpfiber::check
