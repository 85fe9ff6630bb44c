// SPDX-License-Identifier: Apache-2.0
// What the text of a source line says of the variables in it. Guesses from spelling: used only to choose words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpfiber::report {

/// "atomicAdd()" for a line with "+=": the atomic function that does the same; empty where there is none.
std::string atomic_function_for(std::string_view line);

/// "flag" in "flag[0] = 1", "atomicExch(&flag, 1)" and "flag.store(1)"; empty where no variable is written.
std::string written_variable(std::string_view line);

/// "in" and "w" in "out[i] = in[i] * w[0]".
std::vector<std::string> read_arrays(std::string_view line);

/// The array that the line both reads and writes; empty if there is none.
std::string updated_array(std::string_view line);

/// "s" of the object's name "s[3]".
std::string_view variable_of(std::string_view object);

}  // namespace warpfiber::report
