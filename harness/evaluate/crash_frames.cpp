#include "evaluate/crash_frames.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "compile/compiler_enclosure.hpp"
#include "core/find_program.hpp"
#include "ipc/crash_trace_text.hpp"
#include "process/command.hpp"
#include "process/demangle.hpp"
#include "process/escape.hpp"
#include "process/temporary_directory.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds reading_limit{10};

struct Frame {
  std::string library;  // its file's name; empty where no library is known
  std::uint64_t offset = 0;
  std::string symbol;  // an exported symbol, mangled; may be empty
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Parses "  kernel.so+0x3a2a forward". False for any other line.
bool parse_frame(std::string_view line, Frame& frame) {
  if (!line.starts_with("  ")) return false;
  line.remove_prefix(2);
  const std::size_t plus = line.find("+0x");
  if (plus == std::string_view::npos) return line.starts_with("0x");
  const char* end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(line.data() + plus + 3, end, frame.offset, 16);
  if (error != std::errc()) return false;
  frame.library = line.substr(0, plus);
  if (rest != end) frame.symbol = std::string(rest + 1, end);
  return true;
}

// True for a function of the shim, which calls the entry point of the kernel.
bool is_of_shim(const std::string& place) {
  return place.find("rkb::invoke") != std::string::npos ||
         place.find("::call_function(rkb_function") != std::string::npos;
}

// Removes the name of the compiler's copy: " [clone .constprop.0]".
std::string without_clone(const std::string& function) {
  return function.substr(0, function.find(" [clone "));
}

// A function and its place: "scale(float*) at mine.cpp:12". Empty where neither is known.
std::string place_text(const std::string& name, const std::string& place) {
  const std::string function = without_clone(name);
  if (function.empty() || function == "??") return {};
  const std::size_t colon = place.rfind(':');
  std::string line = colon == std::string::npos ? "" : place.substr(colon + 1);
  line = line.substr(0, line.find(' '));  // before "(discriminator 3)"
  if (line.empty() || line.find_first_not_of("0123456789") != std::string::npos || line == "0") {
    return escaped_line(function);
  }
  const std::string file = fs::path(place.substr(0, colon)).filename();
  return escaped_line(function + " at " + file + ":" + line);
}

// addr2line's answer for each address: the function there, then the functions that it is inlined
// into.
std::map<std::uint64_t, std::vector<std::string>> read_places(
    const std::vector<std::uint64_t>& addresses, const std::string& library,
    const std::string& worker) {
  const std::string tool = find_program("addr2line", search_path());
  if (tool.empty() || addresses.empty()) return {};
  const TemporaryDirectory scratch("frames");
  std::vector<std::string> command{tool, "-a", "-f", "-i", "-C", "-e", library};
  for (const std::uint64_t address : addresses) command.push_back(fmt::format("{:#x}", address));
  const CommandResult result =
      run_to_end({.arguments = command,
                  .environment = compiler_environment(scratch.path()),
                  .working_directory = scratch.path(),
                  .sandbox = library_reader_enclosure(tool, library, worker, scratch.path())},
                 reading_limit);
  if (result.exit_code != 0 || result.timed_out) return {};
  std::map<std::uint64_t, std::vector<std::string>> places;
  std::vector<std::string>* of_address = nullptr;
  std::string function;
  for (const std::string& line : lines_of(result.output)) {
    std::uint64_t address = 0;
    const char* end = line.data() + line.size();
    if (line.starts_with("0x") && std::from_chars(line.data() + 2, end, address, 16).ptr == end) {
      of_address = &places[address];
      function.clear();
    } else if (function.empty()) {
      function = line;
    } else {
      const std::string place = place_text(function, line);
      if (of_address != nullptr && !place.empty()) of_address->push_back(place);
      function.clear();
    }
  }
  return places;
}

std::string other_frame(const Frame& frame, const std::string& line) {
  if (frame.symbol.empty()) return line;
  return "  " + demangled(frame.symbol) + " in " + frame.library;
}

// The frames as text, one a line.
std::string readable(const std::vector<Frame>& frames, const std::vector<std::string>& lines,
                     const std::string& library, const std::string& worker) {
  const std::string name = fs::path(library).filename();
  // A return address is that of the instruction after the call.
  const auto address_of = [&](std::size_t i) { return frames[i].offset - (i == 0 ? 0 : 1); };
  std::vector<std::uint64_t> addresses;
  std::size_t kernel_end = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].library != name) continue;
    addresses.push_back(address_of(i));
    kernel_end = i + 1;
  }
  const auto places = read_places(addresses, library, worker);
  std::string text;
  std::size_t shown = 0;
  for (const std::size_t end = kernel_end == 0 ? frames.size() : kernel_end; shown < end; ++shown) {
    const bool own = frames[shown].library == name;
    const auto found = own ? places.find(address_of(shown)) : places.end();
    if (found == places.end() || found->second.empty()) {
      text += "\n" + other_frame(frames[shown], lines[shown]);
      continue;
    }
    if (is_of_shim(found->second.front())) break;
    for (const std::string& place : found->second) {
      if (!is_of_shim(place)) text += "\n  " + place;
    }
  }
  const std::size_t below = frames.size() - shown;
  if (below > 0) {
    text +=
        fmt::format("\n  called by {} {} of the harness", below, below == 1 ? "frame" : "frames");
  }
  return text;
}

}  // namespace

std::string with_functions(const std::string& reason, const std::string& library,
                           const std::string& worker) {
  const std::size_t begin = reason.find("\n" + std::string(crash_trace_begin));
  if (begin == std::string::npos) return reason;
  const std::vector<std::string> all = lines_of(reason.substr(begin + 1));
  std::vector<Frame> frames;
  std::vector<std::string> lines;
  for (std::size_t i = 1; i < all.size(); ++i) {
    Frame frame;
    if (!parse_frame(all[i], frame)) break;
    frames.push_back(std::move(frame));
    lines.push_back(all[i]);
  }
  if (frames.empty()) return reason;
  std::string text =
      reason.substr(0, begin + 1) + all[0] + readable(frames, lines, library, worker);
  for (std::size_t i = 1 + frames.size(); i < all.size(); ++i) text += "\n" + all[i];
  return text;
}

}  // namespace robust_kbench
