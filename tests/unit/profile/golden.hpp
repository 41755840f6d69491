#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace robust_kbench {

// Reads a file of golden/.
inline std::string golden(const std::string& name) {
  std::ifstream in(GOLDEN + name);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

}  // namespace robust_kbench
