// SPDX-License-Identifier: Apache-2.0
//
// Conformance: every atomic function of CUDA on edge values, on hardware and here (atomic_edges.hpp).
// Prints for each function, type and kind of memory a hash over its cases, their number, and two of them in full:
//   before ; operand ; second operand -> returned ; after
// all as hexadecimal bits, NaNs of floats as "nan". With --all it prints every case.
#include <cstring>
#include <vector>

#include "atomic_edges.hpp"

bool all_wanted = false;

bool is_nan(const unsigned char* bytes) {
  float number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return std::isnan(number);
}

std::string value_text(const Record& record, const Cell& cell) {
  const bool single = record.kind == kFloat;
  const int part = single ? 4 : record.size < 16 ? record.size : 8;
  std::string result;
  for (int at = 0; at < record.size; at += part) {
    u64 word = 0;
    std::memcpy(&word, cell.bytes + at, static_cast<std::size_t>(part));
    result += single && is_nan(cell.bytes + at) ? " nan" : text(" %llx", word);
  }
  return result;
}

std::string case_text(const Record& record) {
  return value_text(record, record.before) + " ;" + value_text(record, record.a) + " ;" + value_text(record, record.b) +
         " ->" + value_text(record, record.returned) + " ;" + value_text(record, record.after);
}

void print_group(const char* label, const std::vector<std::string>& cases) {
  std::string joined;
  for (const std::string& one : cases) joined += one + "\n";
  if (all_wanted) {
    for (const std::string& one : cases) std::printf("%-40s%s\n", label, one.c_str());
    return;
  }
  std::printf("%-40s %016llx %zu |%s |%s\n", label, hash(joined), cases.size(), cases[cases.size() / 4].c_str(),
              cases[cases.size() * 3 / 4].c_str());
}

void print_part(int part) {
  warpfiber::Buffer<Cell> cell(1);
  warpfiber::Buffer<Log> log(1);
  warpfiber::Buffer<Record> records(kRecords);
  log.fill(Log{0, 0});
  run(1, 1, edges, cell.data(), log.data(), records.data(), kValues, part);
  const Log written = log.download()[0];
  const std::vector<Record> done = records.download();
  std::vector<std::string> cases;
  for (unsigned i = 0; i < written.count; ++i) {
    cases.push_back(case_text(done[i]));
    const bool last = i + 1 == written.count || std::strcmp(done[i].label, done[i + 1].label) != 0;
    if (!last) continue;
    print_group(done[i].label, cases);
    cases.clear();
  }
  std::printf("part %d: %u records, %u lost\n", part, written.count, written.lost);
}

int main(int argc, char** argv) {
  all_wanted = argc > 1 && std::strcmp(argv[1], "--all") == 0;
  for (int part = 0; part < kParts; ++part) print_part(part);
  return 0;
}
