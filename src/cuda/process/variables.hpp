// SPDX-License-Identifier: Apache-2.0
// Variables of the device: every device has an instance of its own, device 0 the variable of the program itself, the
// others copies of it as it was when the program was initialised. A managed variable has one instance for all.
// Any thread may call.
#pragma once

#include <warpfiber/translated/kernels.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace warpfiber::process {

/// A registered variable, named by its address as the program sees it.
struct DeviceVariable {
  void* address;
  std::size_t bytes;
  const char* name;
  cuda::VariableKind kind;
  bool is_const;  // nobody may write to it
};

/// The variable at `address`, which is its start; null where there is none.
const DeviceVariable* find_variable(const void* address);

/// One device's instance of a variable; device 0 stands for all of a managed one.
struct VariableInstance {
  void* base;
  std::size_t bytes;
  cuda::VariableKind kind;
  int device;
  const char* name;
  bool is_host_name;  // what `&variable` is in host code, and no call has returned to the program where the variable is
};

/// The instance that `address` lies in.
std::optional<VariableInstance> variable_around(const void* address);

/// Where `device` keeps it.
void* instance_of(const DeviceVariable& variable, int device);

/// The program has learned where the variable at `symbol` is on a device (cudaGetSymbolAddress).
void announce_variable(const void* symbol);

/// The program has set the variable at `symbol`.
void note_variable_set(const void* symbol);

/// The __constant__ variables that are zeros because the program has set nothing but another one of the same name,
/// which another file defines for itself.
std::vector<DeviceVariable> unset_namesakes();

/// Gives the variables of `device` the values they had when the program was initialised; managed ones keep theirs.
void reset_variables(int device);

}  // namespace warpfiber::process
