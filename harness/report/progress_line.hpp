#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace robust_kbench {

// Live progress on stderr. On a terminal that can, one line is rewritten. Elsewhere each finished
// item gets one line, so that a CI log shows progress without flooding. Texts may come from kernels
// and models. They are escaped, so that they neither control the terminal nor leave their line
// (process/escape.hpp). With --quiet there is
// none.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Shown on a terminal only, at most ten times a second. With `share`, from 0 to 1, a bar that is
  // as full comes first.
  void update(const std::string& text, std::optional<double> share = {});
  void finish(const std::string& text);  // a line that stays
  void clear();                          // before others write to the terminal
  [[nodiscard]] double seconds() const;  // since construction
  // Columns for a text beside a bar.
  [[nodiscard]] static std::size_t room();

 private:
  bool m_terminal;
  bool m_drawn = false;
  const std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point m_last{};
};

}  // namespace robust_kbench
