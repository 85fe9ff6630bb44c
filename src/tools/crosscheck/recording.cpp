// SPDX-License-Identifier: Apache-2.0
//
// Reads with zlib, which takes files that are not compressed as well, checks the hash, then reads the head and the
// parts behind it. A damaged recording is refused with the reason.
#include "tools/crosscheck/recording.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <warpfiber/crosscheck/copy_log.hpp>

#include "base/files.hpp"
#include "tools/nvcc/processes/processes.hpp"

namespace warpfiber::tools::crosscheck {
namespace {

using nlohmann::json;

constexpr std::string_view kFirstLine = "warpfiber-recording 1\n";
constexpr std::size_t kEndLine = 21;  // "end ", 16 digits, a newline
constexpr std::size_t kLargest = std::size_t{1} << 30;

base::Failure damaged(const std::string& what) {
  return base::Failure{"the recording is damaged: " + what};
}

/// The whole file, taken apart by zlib where gzip made it.
base::Result<std::string> unpacked(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (file == nullptr) return base::Failure{"it cannot be read"};
  std::string text;
  std::string piece(1 << 16, '\0');
  for (;;) {
    const int got = gzread(file.get(), piece.data(), static_cast<unsigned>(piece.size()));
    if (got < 0) return damaged("it cannot be decompressed");
    if (got == 0) break;
    text.append(piece, 0, static_cast<std::size_t>(got));
    if (text.size() > kLargest) return damaged("it is larger than 1 GiB");
  }
  int error = Z_OK;
  gzerror(file.get(), &error);
  if (error != Z_OK) return damaged("its compressed part ends early");
  return text;
}

/// What is wrong with the frame around it: first line, end, hash.
std::string frame_error(std::string_view text) {
  if (!text.starts_with("warpfiber-recording ")) return "it is not a recording of warpfiber crosscheck";
  if (!text.starts_with(kFirstLine)) return "another version of Warpfiber wrote it; record again";
  if (text.size() < kFirstLine.size() + kEndLine) return "the recording is damaged: it ends early";
  const std::string_view end = text.substr(text.size() - kEndLine);
  const std::string_view before = text.substr(0, text.size() - kEndLine + 4);
  const auto hash = warpfiber::crosscheck::hash_of(before.data(), before.size());
  if (!end.starts_with("end ")) return "the recording is damaged: it ends early";
  if (end.substr(4) != fmt::format("{:016x}\n", hash)) return "the recording is damaged: its hash does not match";
  return {};
}

/// A number of bytes: no fraction, no sign, and not more than a recording holds.
std::size_t read_size(const json& value) {
  const bool is_one = value.is_number_unsigned() && value.get<std::uint64_t>() <= kLargest;
  if (!is_one) throw json::other_error::create(501, "no size", nullptr);
  return value.get<std::size_t>();
}

void read_head(const json& head, GpuRecording& to) {
  to.program = head.at("program");
  to.source = head.at("source");
  to.options = head.at("options");
  to.arguments = head.at("arguments").get<std::vector<std::string>>();
  to.device = head.at("device");
  to.capability = head.at("capability");
  to.driver = head.at("driver");
  to.toolkit = head.at("toolkit");
  if (!head.at("exit_code").is_number_integer()) throw json::other_error::create(501, "no exit code", nullptr);
  to.exit_code = head.at("exit_code");
}

/// The second line of a recording, and where its parts lie.
struct RecordedFrame {
  GpuRecording head;
  std::size_t output_at = 0;
  std::size_t output = 0;  // bytes
  std::size_t copied = 0;  // bytes, behind the output

  std::size_t size() const { return output_at + output + copied + 1 + kEndLine; }
};

/// Of a text that begins with the first line.
base::Result<RecordedFrame> read_frame(std::string_view text) {
  const std::size_t begin = kFirstLine.size();
  const std::size_t end = text.find('\n', begin);
  RecordedFrame frame;
  frame.output_at = end + 1;
  try {
    const json head = json::parse(text.substr(begin, end - begin));
    read_head(head, frame.head);
    frame.output = read_size(head.at("stdout_bytes"));
    frame.copied = read_size(head.at("copies_bytes"));
  } catch (const json::exception&) {
    return damaged("its second line is invalid");
  }
  return frame;
}

}  // namespace

std::string recording_name(const std::string& program, const std::vector<std::string>& arguments) {
  std::string words;
  for (const std::string& argument : arguments) words += argument + '\n';
  if (words.empty()) return program + ".recording";
  const auto hash = warpfiber::crosscheck::hash_of(words.data(), words.size());
  return fmt::format("{}-{:08x}.recording", program, hash & 0xffffffffU);
}

base::Result<GpuRecording> parse_recording(const std::string& text) {
  const std::string wrong = frame_error(text);
  if (!wrong.empty()) return base::Failure{wrong};
  const auto read = read_frame(text);
  if (!read.ok()) return base::Failure{read.error()};
  const RecordedFrame& frame = read.value();
  if (frame.size() != text.size()) return damaged("its parts do not have the sizes that it states");
  GpuRecording recording = frame.head;
  recording.output = text.substr(frame.output_at, frame.output);
  auto copies = parse_copies(std::string_view(text).substr(frame.output_at + frame.output, frame.copied));
  if (!copies.ok()) return damaged(copies.error());
  recording.copies = std::move(copies.value());
  return recording;
}

base::Result<GpuRecording> read_recording(const std::string& path) {
  if (!std::filesystem::exists(path)) return base::Failure{path + ": there is no such recording"};
  const auto text = unpacked(path);
  if (!text.ok()) return base::Failure{path + ": " + text.error()};
  auto recording = parse_recording(text.value());
  return recording.ok() ? recording : base::Result<GpuRecording>(base::Failure{path + ": " + recording.error()});
}

base::Result<GpuRecording> read_recording_of(const std::string& path, const std::string& program,
                                             const std::vector<std::string>& arguments) {
  const auto text = unpacked(path);
  if (!text.ok()) return base::Failure{path + ": " + text.error()};
  for (std::string_view rest = text.value(); !rest.empty();) {
    if (!rest.starts_with(kFirstLine)) return base::Failure{path + ": " + frame_error(rest)};
    const auto frame = read_frame(rest);
    if (!frame.ok()) return base::Failure{path + ": " + frame.error()};
    const std::size_t size = std::min(frame.value().size(), rest.size());
    const GpuRecording& head = frame.value().head;
    if (head.program == program && head.arguments == arguments) {
      auto recording = parse_recording(std::string(rest.substr(0, size)));
      return recording.ok() ? recording : base::Result<GpuRecording>(base::Failure{path + ": " + recording.error()});
    }
    rest.remove_prefix(size);
  }
  return base::Failure{path + ": there is no such recording in it"};
}

bool compress_file(const std::string& path) {
  const std::string text = nvcc::content_of(path);
  constexpr int kGzip = 16;  // besides a window of 2^15 bytes
  constexpr int kMemoryLevel = 8;
  z_stream stream{};
  if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip + 15, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    return false;
  std::string packed(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const bool is_whole = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return is_whole && base::write_output(path, packed).empty();
}

std::string origin_of(const GpuRecording& recording) {
  return fmt::format("{}, driver {}, toolkit {}", recording.device, recording.driver, recording.toolkit);
}

}  // namespace warpfiber::tools::crosscheck
