// SPDX-License-Identifier: Apache-2.0
// The observer of launches that counts for a profile. What it counts of accesses needs a checked program; barriers are
// counted in any.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "profile/profile.hpp"
#include "record/observer.hpp"

namespace warpfiber::profile {

/// A variable of the device, which may lie anywhere. Reads of constant memory do not go through global memory.
struct VariableMemory {
  const void* begin = nullptr;
  std::size_t bytes = 0;
  bool is_constant = false;
};

/// Makes the observers of all launches, which add to one profile when they end.
class ProfileFactory final : public record::ObserverFactory {
 public:
  using FindVariable = std::optional<VariableMemory> (*)(const void* address);

  /// `variable_around`: the variable that an address lies in.
  ProfileFactory(Profile& profile, FindVariable variable_around)
      : profile_(profile), variable_around_(variable_around) {}
  std::unique_ptr<record::Observer> make() override;

 private:
  Profile& profile_;
  FindVariable variable_around_;
};

}  // namespace warpfiber::profile
