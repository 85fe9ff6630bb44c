// SPDX-License-Identifier: Apache-2.0
// Whether launches of this process are checked: the hooks switch it on when they are linked.
#pragma once

namespace warpfiber::check {

/// Reserves the shadow of device memory. Called once, before main().
void enable();
/// Variables of the library that `address` is in, those of device 0, are covered as the program's are. Called when a
/// library with hooks is loaded.
void cover_variables_around(const void* address);
/// The library is unloaded: neither its variables nor what lies behind them is there any more.
void uncover_variables_around(const void* address);
/// Whether the program has hooks and the host has room for their shadow.
bool enabled();

}  // namespace warpfiber::check
