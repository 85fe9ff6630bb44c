// SPDX-License-Identifier: Apache-2.0
// What a handler of signals finds out about what it has interrupted.
#pragma once

#include "base/arch/portable/interrupted.hpp"
#include "base/arch/x86_64/interrupted.hpp"
