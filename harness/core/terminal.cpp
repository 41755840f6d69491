#include "core/terminal.hpp"

#include <cstdlib>
#include <unistd.h>

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<ColorUse, 3> color_uses{
    "use of colours",
    {{{ColorUse::automatic, "auto"}, {ColorUse::always, "always"}, {ColorUse::never, "never"}}}};

// Set before there are other threads.
ColorUse& color_use() {
  static ColorUse use = ColorUse::automatic;
  return use;
}

bool& quiet() {
  static bool quiet = false;
  return quiet;
}

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* const terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

}  // namespace

ColorUse parse_color_use(std::string_view name) {
  return color_uses.parse(name);
}

void set_color_use(ColorUse use) {
  color_use() = use;
}

bool has_color(int descriptor) {
  if (color_use() != ColorUse::automatic) return color_use() == ColorUse::always;
  return isatty(descriptor) == 1 && !is_set("NO_COLOR") && !is_dumb();
}

bool can_rewrite(int descriptor) {
  return isatty(descriptor) == 1 && !is_dumb();
}

void set_quiet(bool wanted) {
  quiet() = wanted;
}

bool is_quiet() {
  return quiet();
}

std::string colored(const std::string& text, Color color) {
  return "\033[" + std::to_string(static_cast<int>(color)) + "m" + text + "\033[0m";
}

}  // namespace robust_kbench
