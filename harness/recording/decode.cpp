#include "recording/decode.hpp"

#include <type_traits>
#include <utility>

#include "recording/layout.hpp"
#include "recording/magic.hpp"
#include "recording/validate.hpp"

namespace robust_kbench {
namespace {

class RecordingReader {
 public:
  explicit RecordingReader(std::string_view bytes) : m_bytes(bytes) {}

  template <typename Number>
  void number(const char* name, Number& value, std::uint64_t greatest) {
    const std::uint64_t read = take(name, sizeof value);
    if (read > greatest) refuse(name, read, greatest);
    value = static_cast<Number>(read);
  }
  template <typename Number>
  void signed_number(const char* name, Number& value) {
    value = static_cast<Number>(take(name, sizeof value));
  }
  void text(const char* name, std::string& value) {
    value = piece(name, count(name, most_recorded_text));
  }
  void bytes(const char* name, std::vector<std::uint8_t>& value, std::size_t most) {
    const std::string_view read = piece(name, count(name, most));
    value.assign(read.begin(), read.end());
  }
  // Grows element by element, so that a false count takes no memory.
  template <typename Value, typename Each>
  void list(const char* name, std::vector<Value>& values, std::size_t most, const Each& each) {
    const std::size_t size = count(name, most);
    values.clear();
    for (std::size_t i = 0; i < size; ++i) each(values.emplace_back());
  }
  template <typename... Alternatives, typename Each>
  void alternative(const char* name, std::variant<Alternatives...>& variant, const Each& each) {
    const std::uint64_t index = take(name, 1);
    if (index >= sizeof...(Alternatives)) refuse(name, index, sizeof...(Alternatives) - 1);
    static constexpr std::array<void (*)(std::variant<Alternatives...>&), sizeof...(Alternatives)>
        makers{
            [](std::variant<Alternatives...>& made) { made.template emplace<Alternatives>(); }...};
    makers.at(index)(variant);
    std::visit(each, variant);
  }

  [[nodiscard]] std::size_t left() const { return m_bytes.size() - m_at; }
  [[noreturn]] void fail(const std::string& what) const {
    throw RecordingError("recording: byte " + std::to_string(m_at) + ": " + what);
  }
  std::string_view piece(const char* name, std::size_t size) {
    if (size > left()) {
      fail(std::string(name) + " needs " + std::to_string(size) + " bytes, and " +
           std::to_string(left()) + " are left");
    }
    m_at += size;
    return m_bytes.substr(m_at - size, size);
  }

 private:
  std::size_t count(const char* name, std::size_t most) {
    const std::uint64_t size = take(name, sizeof(std::uint32_t));
    if (size > most) refuse(name, size, most);
    return size;
  }
  std::uint64_t take(const char* name, std::size_t width) {
    const std::string_view read = piece(name, width);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(read[i])) << (8 * i);
    }
    return value;
  }
  [[noreturn]] void refuse(const char* name, std::uint64_t value, std::uint64_t most) const {
    fail(std::string(name) + " is " + std::to_string(value) + "; the limit is " +
         std::to_string(most));
  }

  std::string_view m_bytes;
  std::size_t m_at = 0;
};

}  // namespace

Recording decode_recording(std::string_view bytes) {
  RecordingReader reader(bytes);
  if (reader.left() < recording_magic.size() ||
      reader.piece("the beginning", recording_magic.size()) != recording_magic) {
    throw RecordingError("recording: it does not begin as a recording does");
  }
  std::uint32_t version = 0;
  reader.number("version", version, recording_layout::any_word);
  if (version != recording_layout::version) {
    reader.fail("version is " + std::to_string(version) + ", expected " +
                std::to_string(recording_layout::version));
  }
  Recording recording;
  recording_layout::visit(reader, recording);
  if (reader.left() > 0) reader.fail(std::to_string(reader.left()) + " bytes follow the end");
  validate_recording(recording);
  return recording;
}

}  // namespace robust_kbench
