// SPDX-License-Identifier: Apache-2.0
// Counts the letters of data/constitution.txt. Setting::size counts bytes from its beginning, 0 meaning all of it;
// Setting::grid may be any. All 256 counts are compared; the texts show the commonest letter.
#include "histogram.hpp"

#include "basics.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace gallery {

namespace {

using Counts = std::vector<unsigned>;

std::vector<unsigned char> read_letters(const std::string& path, std::size_t limit) {
  std::ifstream file(path, std::ios::binary);
  std::vector<unsigned char> letters{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (letters.empty()) throw std::runtime_error("cannot read " + path);
  if (limit != 0 && limit < letters.size()) letters.resize(limit);
  return letters;
}

Counts reference(std::vector<unsigned char> letters) {
  Counts counts(kHistogramBins, 0);
  std::sort(letters.begin(), letters.end());
  for (auto first = letters.begin(); first != letters.end();) {
    const auto last = std::upper_bound(first, letters.end(), *first);
    counts[*first] = static_cast<unsigned>(last - first);
    first = last;
  }
  return counts;
}

std::string commonest(const Counts& counts) {
  unsigned best = 'a';
  for (unsigned letter = 'a'; letter <= 'z'; ++letter) {
    if (counts[letter] > counts[best]) best = letter;
  }
  return text("%s of '%c'", grouped(counts[best]).c_str(), static_cast<char>(best));
}

}  // namespace

Record run_histogram(const Setting& setting) {
  const auto letters = read_letters(setting.data + "/constitution.txt", setting.size);
  const warpfiber::Buffer<unsigned char> device_letters(letters);
  warpfiber::Buffer<unsigned> totals(kHistogramBins);
  totals.fill(0);
  const unsigned grid = setting.grid != 0 ? setting.grid : covering_blocks(letters.size(), setting.block);
  Trial trial(setting);
  trial.launch<histogram>({.grid = grid, .block = setting.block}, device_letters.data(),
                          static_cast<unsigned>(letters.size()), totals.data());
  const Counts found = totals.download();
  const Counts expected = reference(letters);
  return trial.conclude(commonest(found), commonest(expected), found == expected);
}

}  // namespace gallery
