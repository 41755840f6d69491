#include "source/source_error.hpp"

namespace robust_kbench {
namespace {

std::string place(int line) {
  return line == 0 ? "" : "line " + std::to_string(line) + ": ";
}

}  // namespace

SourceError::SourceError(int line, const std::string& text, const std::string& reason,
                         const std::string& remedy)
    : std::runtime_error(place(line) + "'" + text + "': " + reason + "; " + remedy), m_line(line) {}

}  // namespace robust_kbench
