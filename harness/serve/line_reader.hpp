#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace robust_kbench {

// Makes lines of bytes as they come.
class LineReader {
 public:
  explicit LineReader(std::size_t max_bytes) : m_max_bytes(max_bytes) {}

  struct Handlers {
    std::function<void(std::string_view)> on_line;  // without its newline; never empty
    std::function<void()> on_too_long;              // once a line, of which nothing is kept
  };
  void feed(std::string_view bytes, const Handlers& handlers);
  // The last line may lack its newline.
  void end(const Handlers& handlers) { feed("\n", handlers); }

 private:
  const std::size_t m_max_bytes;
  std::string m_line;
  bool m_too_long = false;
};

}  // namespace robust_kbench
