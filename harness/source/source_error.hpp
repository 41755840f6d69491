#pragma once

#include <stdexcept>
#include <string>

namespace robust_kbench {

// A line of a kernel's source says something to the suite that cannot be read: a malformed comment
// or an option that is not allowed. The message says line, text, reason and remedy.
class SourceError : public std::runtime_error {
 public:
  // `line` counts from 1; 0 stands for text that no line of the source holds.
  SourceError(int line, const std::string& text, const std::string& reason,
              const std::string& remedy);

  int line() const { return m_line; }

 private:
  int m_line;
};

}  // namespace robust_kbench
