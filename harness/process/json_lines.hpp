#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/types.h>

#include <nlohmann/json_fwd.hpp>

// The protocol between our programs: each line is one JSON object.
namespace robust_kbench {

// Thrown for a line that is too long or not a JSON object. Its text completes "it has written ...".
class BadLine : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Splits a stream of bytes into JSON objects.
class JsonLines {
 public:
  // `longest` is the most bytes of a line. The rest of a longer line is not stored.
  explicit JsonLines(std::size_t longest) : m_longest(longest) {}

  // Call next() until it gives nothing before you append more bytes.
  void append(std::string_view bytes);
  // Appends the bytes of one read() of the descriptor, and returns the result of read().
  ssize_t read_some(int descriptor);
  // Ends the stream, whose last line may lack its newline.
  void end() { append("\n"); }

  // The next object; nothing until more bytes have come. Empty lines are skipped. Throws BadLine,
  // after which the next call goes on with the following line.
  std::optional<nlohmann::json> next();

 private:
  const std::size_t m_longest;
  std::string m_bytes;
  std::size_t m_looked_at = 0;  // no line ends before this byte
  bool m_skips = false;         // inside a line that is too long
};

// The object as one line, with its newline. Bytes that are not UTF-8 are replaced, since a kernel's
// text may have any, and JSON must be UTF-8.
std::string json_line(const nlohmann::json& object);

// Sends the object to a socket as one line, and waits until all of it is sent. False with errno
// where that fails. Then the other side has got only a part of the line.
bool send_json_line(int socket, const nlohmann::json& object);

}  // namespace robust_kbench
