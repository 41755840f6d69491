#include "compile/audit/gpu_clocks.hpp"

#include <map>
#include <sstream>

namespace robust_kbench {
namespace {

// A place in a source: the index of the file, and the line.
struct LinePlace {
  int file = 0;
  int line = 0;
};

// The instructions after a directive .loc come from a place, which may be in a function that is
// inlined at another one.
struct Location {
  LinePlace place;
  LinePlace inlined_at;  // file 0: not inlined
};

// Reads `1 3 30` and `2 103 5, function_name $L__info_string0, inlined_at 1 5 136`.
Location location_of(const std::string& text) {
  Location location;
  std::istringstream(text) >> location.place.file >> location.place.line;
  constexpr std::string_view inlined = "inlined_at ";
  const std::size_t at = text.find(inlined);
  if (at != std::string::npos) {
    std::istringstream(text.substr(at + inlined.size())) >> location.inlined_at.file >>
        location.inlined_at.line;
  }
  return location;
}

// The clock that a line reads, such as "%globaltimer_lo", or nothing.
std::string clock_in(const std::string& line) {
  for (const std::string_view name : {"%clock", "%globaltimer", "%pm"}) {
    const std::size_t at = line.find(name);
    if (at == std::string::npos) continue;
    const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789", at + 1);
    return line.substr(at, end - at);
  }
  return {};
}

struct Read {
  std::string reg;
  Location location;
};

}  // namespace

std::vector<GpuClock> gpu_clocks(std::string_view ptx,
                                 const std::function<bool(const std::string& file)>& is_own) {
  std::map<int, std::string> files;
  std::vector<Read> reads;
  Location location;
  std::istringstream lines{std::string(ptx)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    std::string rest;
    std::getline(words, rest);
    if (word == ".loc") {
      location = location_of(rest);
    } else if (word == ".file") {
      int index = 0;
      std::istringstream(rest) >> index;
      const std::size_t open = rest.find('"');
      files[index] = rest.substr(open + 1, rest.find('"', open + 1) - open - 1);
    } else if (std::string reg = clock_in(line); !reg.empty() && !word.starts_with("//")) {
      reads.push_back({std::move(reg), location});
    }
  }
  std::vector<GpuClock> clocks;
  for (const Read& read : reads) {
    const bool has_place = read.location.place.file != 0;
    for (const LinePlace& place : {read.location.place, read.location.inlined_at}) {
      if (has_place && !is_own(files[place.file])) continue;
      clocks.push_back({read.reg, files[place.file], place.line});
      break;
    }
  }
  return clocks;
}

}  // namespace robust_kbench
