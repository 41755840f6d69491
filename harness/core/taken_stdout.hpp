#pragma once

#include <string>

#include "core/descriptor.hpp"

namespace robust_kbench {

// Standard output for one use alone. While an object lives, all else that this process and those
// that it starts print there goes to stderr.
class TakenStdout {
 public:
  // Throws UserError where another object has it.
  TakenStdout();
  ~TakenStdout();
  TakenStdout(const TakenStdout&) = delete;
  TakenStdout& operator=(const TakenStdout&) = delete;

  [[nodiscard]] int descriptor() const { return m_taken.get(); }
  // Writes all of the text. Throws HarnessError.
  void write(const std::string& text) const;

 private:
  Descriptor m_taken;
};

}  // namespace robust_kbench
