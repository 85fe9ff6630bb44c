// SPDX-License-Identifier: Apache-2.0
// For which processor this is compiled, and which of its instructions single functions may use besides.
#pragma once

#include "base/arch/portable/targets.hpp"
#include "base/arch/x86_64/targets.hpp"
