#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/types.h>

#include <nlohmann/json_fwd.hpp>

// How programs talk to each other here: each line is one JSON object.
namespace robust_kbench {

// A line that is too long, or no JSON object. The text says what it is, to follow "it has written".
class BadLine : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Cuts a stream of bytes into JSON objects.
class JsonLines {
 public:
  // `longest` limits a line, in bytes. No more of one is kept.
  explicit JsonLines(std::size_t longest) : m_longest(longest) {}

  // Call next() until it gives none before any more bytes are appended.
  void append(std::string_view bytes);
  // Appends what one read() of the descriptor gives, and returns what that returned.
  ssize_t read_some(int descriptor);
  // No more bytes will come. The last line may lack its newline.
  void end() { append("\n"); }

  // The next object; none until more bytes have come. Empty lines are passed over. Throws BadLine,
  // after which the next call goes on with the line that follows.
  std::optional<nlohmann::json> next();

 private:
  const std::size_t m_longest;
  std::string m_bytes;
  std::size_t m_looked_at = 0;  // no line ends before this byte
  bool m_skips = false;         // the rest of a line that is too long
};

// The object as one line, with its newline. A kernel's text may be anything, and JSON is UTF-8. So
// bytes that are no UTF-8 are replaced.
std::string json_line(const nlohmann::json& object);

// Sends the object to a socket as one line, and waits until all of it is sent. False where that
// fails, with errno. The other side has then got half a line at most.
bool send_json_line(int socket, const nlohmann::json& object);

}  // namespace robust_kbench
