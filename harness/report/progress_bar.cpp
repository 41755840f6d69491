#include "report/progress_bar.hpp"

#include <algorithm>
#include <cmath>

#include "core/terminal.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t around = 8;         // the brackets, and " 100 %"
constexpr std::size_t fewest_places = 5;  // of a bar that still shows anything
constexpr std::size_t most_places = 20;

}  // namespace

std::string progress_bar(double share, std::size_t columns, bool has_color) {
  if (columns < around + fewest_places) return "";
  const std::size_t places = std::min(columns - around, most_places);
  const double done = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  const auto filled = static_cast<std::size_t>(done * static_cast<double>(places));
  std::string bar(filled, '=');
  if (has_color && filled > 0) bar = colored(bar, Color::green);
  if (filled < places) bar += ">" + std::string(places - filled - 1, ' ');
  // Nothing has ended yet that is not whole.
  return fmt::format("[{}] {:>3.0f} %", bar, std::floor(100 * done));
}

}  // namespace robust_kbench
