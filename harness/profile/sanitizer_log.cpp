#include "profile/sanitizer_log.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace robust_kbench {
namespace {

constexpr std::string_view prefix = "=========";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

template <class Integer>
std::optional<Integer> leading_integer(std::string_view text) {
  Integer value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{}) return std::nullopt;
  return value;
}

std::optional<std::string_view> after(std::string_view text, std::string_view begin) {
  if (!text.starts_with(begin)) return std::nullopt;
  return text.substr(begin.size());
}

// The coordinates at the front of the text, such as "(232,0,0)".
std::string coordinates(std::string_view text) {
  const std::size_t end = text.find(')');
  return text.starts_with("(") && end != std::string_view::npos
             ? std::string(text.substr(0, end + 1))
             : std::string();
}

// The function of a frame such as "races(float *)+0xb0 in planted.cu:5". The part from " in" on is
// missing where there are no line numbers.
std::string_view function_of(std::string_view frame) {
  std::size_t end = frame.rfind("+0x");
  if (end == std::string_view::npos) end = frame.rfind(":0x");
  return end == std::string_view::npos ? std::string_view{} : trimmed(frame.substr(0, end));
}

void take_frame(std::string_view frame, Place& where) {
  if (const std::size_t hazards = frame.rfind(" ["); hazards != std::string_view::npos) {
    frame = frame.substr(0, hazards);
  }
  where.kernel = function_of(frame);
  const std::size_t in = frame.rfind(" in ");
  const std::size_t colon = frame.rfind(':');
  if (in == std::string_view::npos || colon == std::string_view::npos || colon < in) return;
  where.file = frame.substr(in + 4, colon - in - 4);
  where.line = leading_integer<int>(frame.substr(colon + 1)).value_or(0);
}

// Reads one line below a report's first one.
void take_detail(std::string_view line, SanitizerReport& report) {
  Place& where = report.where;
  if (const auto frame = after(line, "at ")) {
    take_frame(*frame, where);
  } else if (const auto thread = after(line, "by thread ")) {
    where.thread = coordinates(*thread);
    const std::size_t block = thread->find(" in block ");
    if (block != std::string_view::npos) where.block = coordinates(thread->substr(block + 10));
  } else if (const auto caller = after(line, "Device Frame:")) {
    // The last frame is the __global__ function.
    if (const auto function = function_of(*caller); !function.empty()) {
      where.kernel = trimmed(function);
    }
  } else if (!line.starts_with("Host Frame:") && !line.starts_with("Saved host backtrace")) {
    for (const std::string_view begin : {"Address ", "Access to "}) {
      const auto address = after(line, begin);
      if (address) where.address = address->substr(0, address->find_first_of(" ,"));
    }
    const std::size_t hazard = line.find(" Thread (");
    const std::size_t at = line.find(") at ");
    if (hazard != std::string_view::npos && at != std::string_view::npos && where.thread.empty()) {
      where.thread = coordinates(line.substr(hazard + 8));
      take_frame(line.substr(at + 5), where);
    }
    report.details.emplace_back(line);
  }
}

// Takes the place of an error from a report's first line.
void take_title(std::string_view title, Place& where) {
  if (const std::size_t at = title.find(" access at "); at != std::string_view::npos) {
    take_frame(title.substr(at + 11), where);
  }
  for (const std::string_view begin : {" at __shared__ ", " at global address "}) {
    const std::size_t at = title.find(begin);
    if (at == std::string_view::npos) continue;
    const std::string_view address = title.substr(at + begin.size());
    where.address = address.substr(0, address.find(' '));
  }
  if (const std::size_t block = title.find(" in block "); block != std::string_view::npos) {
    where.block = coordinates(title.substr(block + 10));
  }
}

// Parses "2 hazards displayed (256 errors, 1 warning)". At most --print-limit hazards are
// displayed.
std::optional<std::int64_t> hazard_count(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return std::nullopt;
  text.remove_prefix(open + 1);
  const auto errors = leading_integer<std::int64_t>(text);
  const std::size_t comma = text.find(", ");
  if (!errors || comma == std::string_view::npos) return std::nullopt;
  const auto warnings = leading_integer<std::int64_t>(text.substr(comma + 2));
  if (!warnings) return std::nullopt;
  return *errors + *warnings;
}

// Returns false if the line belongs to no summary.
bool take_summary(std::string_view line, SanitizerLog& log) {
  const auto hazards = after(line, "RACECHECK SUMMARY: ");
  const auto errors = after(line, "ERROR SUMMARY: ");
  if (!hazards && !errors) return line.starts_with("LEAK SUMMARY:");
  const auto count = hazards ? hazard_count(*hazards) : leading_integer<std::int64_t>(*errors);
  if (!count) return false;
  if (errors && errors->find("not printed") != std::string_view::npos) {
    log.not_printed += *count;
  } else {
    log.summaries.push_back({.count = *count, .hazards = hazards.has_value()});
  }
  return true;
}

}  // namespace

SanitizerLog parse_sanitizer_log(std::string_view text) {
  SanitizerLog log;
  bool inside = false;  // inside a report
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view raw = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!raw.starts_with(prefix)) continue;
    const std::string_view indented = raw.substr(prefix.size());
    const std::string_view line = trimmed(indented);
    if (inside && !line.empty() && indented.starts_with("    ")) {
      take_detail(line, log.reports.back());
    } else if (line.empty() || line == "COMPUTE-SANITIZER" || take_summary(line, log)) {
      inside = false;
    } else {
      log.reports.push_back({.title = std::string(line), .details = {}, .where = {}});
      take_title(line, log.reports.back().where);
      inside = true;
    }
  }
  return log;
}

}  // namespace robust_kbench
