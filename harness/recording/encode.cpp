#include "recording/encode.hpp"

#include <type_traits>

#include "core/error.hpp"
#include "recording/layout.hpp"
#include "recording/magic.hpp"

namespace robust_kbench {
namespace {

// Writes each number in the width of its type, least byte first.
class RecordingWriter {
 public:
  template <typename Number>
  void number(const char* name, Number value, std::uint64_t greatest) {
    if (static_cast<std::uint64_t>(value) > greatest) {
      refuse(name, static_cast<std::uint64_t>(value), greatest);
    }
    append(static_cast<std::uint64_t>(value), sizeof value);
  }
  template <typename Number>
  void signed_number(const char*, Number value) {
    append(static_cast<std::uint64_t>(value), sizeof value);
  }
  void text(const char* name, const std::string& value) {
    count(name, value.size(), most_recorded_text);
    m_bytes += value;
  }
  void bytes(const char* name, const std::vector<std::uint8_t>& value, std::size_t most) {
    count(name, value.size(), most);
    m_bytes.append(value.begin(), value.end());
  }
  template <typename Value, typename Each>
  void list(const char* name, std::vector<Value>& values, std::size_t most, const Each& each) {
    count(name, values.size(), most);
    for (Value& value : values) each(value);
  }
  template <typename Variant, typename Each>
  void alternative(const char*, Variant& variant, const Each& each) {
    append(variant.index(), 1);
    std::visit(each, variant);
  }

  std::string m_bytes;

 private:
  void count(const char* name, std::size_t size, std::size_t most) {
    if (size > most) refuse(name, size, most);
    append(size, sizeof(std::uint32_t));
  }
  void append(std::uint64_t value, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) m_bytes += static_cast<char>(value >> (8 * i) & 0xff);
  }
  [[noreturn]] static void refuse(const char* name, std::uint64_t value, std::uint64_t most) {
    throw HarnessError("recording: " + std::string(name) + " is " + std::to_string(value) +
                       "; the limit is " + std::to_string(most));
  }
};

}  // namespace

std::string encode_recording(const Recording& recording) {
  RecordingWriter writer;
  writer.m_bytes = recording_magic;
  writer.number("version", recording_layout::version, recording_layout::version);
  Recording copy =
      recording;  // the layout is written for readers, too, which change what they visit
  recording_layout::visit(writer, copy);
  return std::move(writer.m_bytes);
}

}  // namespace robust_kbench
