// SPDX-License-Identifier: Apache-2.0
//
// The translator. Input: a character whose lowest bits choose the options, the preprocessed text of the host and, after
// a line `#device`, that of the device.
// Holds: it answers, whatever the text. What has none of CUDA's words stays as it is. What comes out is no longer than
// a multiple of what went in. One input of sixteen is repeated until it is long, which what is not linear, or recurses
// with the text, does not survive.
#include <cstddef>
#include <string>

#include "fuzz_targets/targets.hpp"
#include "translate/text/tokens.hpp"
#include "translate/translate.hpp"

namespace warpfiber::fuzz_targets {
namespace {

// Of the text that a character becomes: `.reg .b32 r<256>;` in an asm statement declares 256 variables.
constexpr std::size_t kMostGrowth = 2048;

translate::TranslateOptions options_of(unsigned bits) {
  translate::TranslateOptions options;
  options.relocatable_device_code = (bits & 1) != 0;
  options.older_language = (bits & 2) != 0;
  options.checked = (bits & 4) != 0;
  options.unrolls = (bits & 8) == 0;
  options.as_written = (bits & 16) != 0;
  return options;
}

void check(std::string_view host, std::string_view device, const translate::TranslateOptions& options) {
  const translate::Translation result = translate::translate(host, device, options);
  const std::size_t size = host.size() + device.size();
  require(result.text.size() <= kMostGrowth * (size + 1), "the translation is out of proportion");
  const bool plain = !options.older_language && !translate::has_words(host) && !translate::has_words(device);
  require(!plain || result.text == host, "a text without CUDA's words was changed");
  require(result.diagnostics.size() <= size + 1, "there are more errors than characters");
  for (const translate::Diagnostic& one : result.diagnostics)
    require(!one.message.empty() && !translate::to_text(one).empty(), "an error says nothing");
  require(result.kernels.size() + result.variables.size() <= size, "there are more names than characters");
}

}  // namespace

void translator(std::string_view input) {
  if (input.empty()) return;
  const translate::TranslateOptions options = options_of(static_cast<unsigned char>(input.front()));
  const Parts texts = parts_at(input.substr(1), "#device");
  check(texts.first, texts.second, options);
  if (texts.first.empty() || !is_repeated(input)) return;
  check(repeated(texts.first), {}, options);
}

}  // namespace warpfiber::fuzz_targets
