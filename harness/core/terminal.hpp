#pragma once

#include <string>
#include <string_view>

// How programs write for people. It is set once, while the command line is parsed.
namespace robust_kbench {

enum class ColorUse { automatic, always, never };

// Parses auto, always or never. Throws UserError.
ColorUse parse_color_use(std::string_view name);

void set_color_use(ColorUse use);
// Returns whether what is written to the descriptor has colours. By default it has them on a
// terminal that knows colours, unless the environment has NO_COLOR (https://no-color.org).
bool has_color(int descriptor);

// Returns whether the descriptor is a terminal whose lines may be written anew.
bool can_rewrite(int descriptor);

// Keeps progress from stderr. Results and errors are written all the same.
void set_quiet(bool quiet);
bool is_quiet();

enum class Color { red = 31, green = 32, yellow = 33 };
std::string colored(const std::string& text, Color color);

}  // namespace robust_kbench
