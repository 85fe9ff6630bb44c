// SPDX-License-Identifier: Apache-2.0
// The observer of launches that counts for a profile. What it counts of accesses needs a checked program; barriers are
// counted in any.
#pragma once

#include <memory>

#include "profile/profile.hpp"
#include "record/observer.hpp"

namespace warpfiber::profile {

/// Makes the observers of all launches, which add to one profile when they end.
class ProfileFactory final : public record::ObserverFactory {
 public:
  /// `is_constant`: whether an address is of a __constant__ variable, whose reads do not go through global memory.
  ProfileFactory(Profile& profile, bool (*is_constant)(const void* address))
      : profile_(profile), is_constant_(is_constant) {}
  std::unique_ptr<record::Observer> make() override;

 private:
  Profile& profile_;
  bool (*is_constant_)(const void* address);
};

}  // namespace warpfiber::profile
