#include "process/json_lines.hpp"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

#include "core/parse_json.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr std::size_t shown_bytes = 80;  // bytes of a line that an error message quotes
constexpr std::size_t read_bytes = std::size_t{64} << 10;

// JSON quoting keeps arbitrary bytes on one line.
std::string quoted_start(const std::string& line) {
  return json(line.substr(0, shown_bytes)).dump(-1, ' ', true, json::error_handler_t::replace);
}

json object_of(const std::string& line) {
  try {
    json object = parse_json(line);
    if (object.is_object()) return object;
  } catch (const json::parse_error& error) {
    throw BadLine("no JSON object: " + quoted_start(line) + " (" + error.what() + ")");
  }
  throw BadLine("no JSON object: " + quoted_start(line));
}

}  // namespace

void JsonLines::append(std::string_view bytes) {
  if (m_skips) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return;
    bytes.remove_prefix(end + 1);
    m_skips = false;
  }
  m_bytes += bytes;
}

ssize_t JsonLines::read_some(int descriptor) {
  std::array<char, read_bytes> buffer{};
  ssize_t bytes = 0;
  do {
    bytes = read(descriptor, buffer.data(), buffer.size());
  } while (bytes < 0 && errno == EINTR);
  if (bytes > 0) append({buffer.data(), static_cast<std::size_t>(bytes)});
  return bytes;
}

std::optional<json> JsonLines::next() {
  while (true) {
    const std::size_t end = m_bytes.find('\n', m_looked_at);
    const bool is_whole = end != std::string::npos;
    const std::size_t size = is_whole ? end : m_bytes.size();
    m_looked_at = size;
    if (!is_whole && size <= m_longest) return std::nullopt;
    const std::string line = size <= m_longest ? m_bytes.substr(0, size) : "";
    m_bytes.erase(0, is_whole ? size + 1 : size);
    m_looked_at = 0;
    if (size > m_longest) {
      m_skips = !is_whole;
      throw BadLine("a line of more than " + std::to_string(m_longest) + " bytes");
    }
    if (!line.empty()) return object_of(line);
  }
}

std::string json_line(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

bool send_json_line(int socket, const json& object) {
  const std::string line = json_line(object);
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = send(socket, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace robust_kbench
