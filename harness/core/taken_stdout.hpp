#pragma once

#include <string>

#include "core/descriptor.hpp"

namespace robust_kbench {

// Reserves standard output for one use. While an object lives, all other output of this process and
// its children goes to stderr.
class TakenStdout {
 public:
  // Throws UserError if standard output is taken already.
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
