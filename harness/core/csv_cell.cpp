#include "core/csv_cell.hpp"

#include <iomanip>
#include <sstream>

namespace robust_kbench {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::ostringstream quoted;
  quoted << std::quoted(text, '"', '"');
  return quoted.str();
}

}  // namespace robust_kbench
