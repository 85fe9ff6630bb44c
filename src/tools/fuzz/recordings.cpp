// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the head as lines and the rest as little-endian numbers, and checks the sum first. Built by nvcc
// as well, so it uses no library but the standard one.
#include "tools/fuzz/recordings.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

namespace warpfiber::tools::fuzz {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
constexpr const char* kTitle = "warpfiber fuzz recordings 2";
constexpr std::size_t kVersion = 26;  // where the title's begins
constexpr std::size_t kChecksum = 4;  // bytes of it

/// zlib's crc32, which is not at hand where nvcc builds this file.
std::uint32_t checksum(std::string_view bytes) {
  constexpr std::uint32_t kReflectedPolynomial = 0xedb88320;
  std::uint32_t sum = ~std::uint32_t{0};
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (unsigned bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (kReflectedPolynomial & -(sum & 1));
  }
  return ~sum;
}

void put(std::string& to, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to.push_back(char(value >> 8 * i & 0xff));
}

/// Takes numbers from the front of what is left of a text.
class NumberReader {
 public:
  explicit NumberReader(std::istream& stream) : stream_(stream) {}

  std::uint64_t number(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t(static_cast<unsigned char>(stream_.get())) << 8 * i;
    return value;
  }
  bool ok() const { return stream_.good(); }

 private:
  std::istream& stream_;
};

/// What is wrong with the file as a whole; empty if its title and its checksum are right.
std::string frame_error(std::string_view bytes) {
  const std::string_view title = kTitle;
  const std::string_view begin = bytes.substr(0, bytes.find('\n'));
  if (!begin.starts_with(title.substr(0, kVersion))) return "is not a file of recordings";
  if (begin != title) return "another version of Warpfiber wrote it; record it again";
  if (bytes.size() < title.size() + 1 + kChecksum) return "is damaged: it ends early";
  std::string sum;
  put(sum, checksum(bytes.substr(0, bytes.size() - kChecksum)), kChecksum);
  return bytes.ends_with(sum) ? "" : "is damaged: its checksum does not match its contents";
}

std::string header(const Recordings& recordings) {
  std::ostringstream text;
  text << kTitle << "\ndevice " << recordings.device << "\ndriver " << recordings.driver << "\ntoolkit "
       << recordings.toolkit << "\nseed " << recordings.first_seed << "\nprograms " << recordings.programs.size()
       << "\n\n";
  return text.str();
}

/// The rest of the next line behind `name` and a blank. False if it does not begin like that.
bool read_field(std::istream& stream, const std::string& name, std::string& to) {
  std::string line;
  if (!std::getline(stream, line) || line.compare(0, name.size() + 1, name + " ") != 0) return false;
  to = line.substr(name.size() + 1);
  return true;
}

bool read_count(const std::string& text, std::uint64_t& to) {
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, to);
  return result.ec == std::errc() && result.ptr == end;
}

bool read_header(std::istream& stream, Recordings& to, std::uint64_t& count) {
  std::string line;
  std::string seed;
  std::string programs;
  if (!std::getline(stream, line) || line != kTitle) return false;
  if (!read_field(stream, "device", to.device) || !read_field(stream, "driver", to.driver)) return false;
  if (!read_field(stream, "toolkit", to.toolkit) || !read_field(stream, "seed", seed)) return false;
  if (!read_field(stream, "programs", programs) || !std::getline(stream, line) || !line.empty()) return false;
  return read_count(seed, to.first_seed) && read_count(programs, count);
}

}  // namespace

std::uint16_t program_digest(const Flat& program) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(program.nodes);
  std::uint64_t hash = program.seed;
  for (std::size_t i = 0; i < program.count * sizeof(Node); ++i) hash = mix(hash, bytes[i]);
  const ProgramShape& shape = program.shape;
  for (const unsigned n : {shape.x, shape.y, shape.z, shape.grid_x, shape.grid_y, shape.cluster, shape.cooperative}) {
    hash = mix(hash, n);
  }
  return std::uint16_t(hash >> 48);
}

Recorded recorded(const Flat& program, const Outcome& outcome) {
  return {outcome.digest, program_digest(program), outcome.nodes};
}

std::string recordings_text(const Recordings& recordings) {
  std::string bytes = header(recordings);
  for (const Recorded& program : recordings.programs) {
    put(bytes, program.digest, 8);
    put(bytes, program.program, 2);
    put(bytes, program.nodes.size(), 1);
    for (const std::uint16_t node : program.nodes) put(bytes, node, 2);
  }
  put(bytes, checksum(bytes), kChecksum);
  return bytes;
}

bool write_recordings(const std::string& path, const Recordings& recordings) {
  const std::string bytes = recordings_text(recordings);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), std::streamsize(bytes.size()));
  file.close();
  return file.good();
}

std::string parse_recordings(const std::string& bytes, Recordings& to) {
  const std::string wrong = frame_error(bytes);
  if (!wrong.empty()) return wrong;
  std::istringstream file(bytes.substr(0, bytes.size() - kChecksum));
  std::uint64_t count = 0;
  if (!read_header(file, to, count)) return "is not a file of recordings";
  NumberReader reader(file);
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    Recorded program;
    program.digest = reader.number(8);
    program.program = std::uint16_t(reader.number(2));
    program.nodes.resize(reader.number(1));
    for (std::uint16_t& node : program.nodes) node = std::uint16_t(reader.number(2));
    if (reader.ok()) to.programs.push_back(program);
  }
  if (to.programs.size() != count) return "ends before its last program";
  if (file.peek() != std::istringstream::traits_type::eof()) return "has data after its last program";
  return {};
}

std::string read_recordings(const std::string& path, Recordings& to) {
  std::ifstream whole(path, std::ios::binary);
  if (!whole) return path + ": cannot be read";
  std::string bytes;
  for (char c; bytes.size() <= kMostBytes && whole.get(c);) bytes += c;
  if (bytes.size() > kMostBytes) return path + ": is larger than " + std::to_string(kMostBytes >> 20U) + " MiB";
  const std::string wrong = parse_recordings(bytes, to);
  return wrong.empty() ? wrong : path + ": " + wrong;
}

}  // namespace warpfiber::tools::fuzz
