#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Cuts a stream of bytes into JSON objects, one a line.
class JsonLines {
 public:
  // Bytes of a line. An answer of the longest context has some hundred thousand.
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  // Throws HarnessError where a line is longer than that.
  void append(std::string_view bytes);
  // The next whole line; none until more bytes have come. Throws HarnessError where it is no
  // object.
  std::optional<nlohmann::json> next();

 private:
  std::string m_bytes;
  std::size_t m_looked_at = 0;  // no line ends before this byte
};

}  // namespace robust_kbench
