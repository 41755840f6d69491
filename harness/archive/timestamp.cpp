#include "archive/timestamp.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>

namespace robust_kbench {
namespace {

// Seconds since 1970.
std::optional<double> seconds_of(const std::string& time) {
  std::tm utc{};
  double seconds = 0;
  const int read = std::sscanf(time.c_str(), "%4d-%2d-%2dT%2d:%2d:%lfZ", &utc.tm_year, &utc.tm_mon,
                               &utc.tm_mday, &utc.tm_hour, &utc.tm_min, &seconds);
  if (read != 6) return std::nullopt;
  utc.tm_year -= 1900;
  utc.tm_mon -= 1;
  return static_cast<double>(timegm(&utc)) + seconds;
}

}  // namespace

std::string timestamp() {
  using namespace std::chrono;
  const auto now = time_point_cast<milliseconds>(system_clock::now());
  const std::time_t seconds = system_clock::to_time_t(now);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%s.%03dZ", date.data(),
                static_cast<int>(now.time_since_epoch().count() % 1000));
  return text.data();
}

double seconds_between(const std::string& from, const std::string& to) {
  const std::optional<double> begin = seconds_of(from);
  const std::optional<double> end = seconds_of(to);
  return begin && end ? *end - *begin : 0;
}

}  // namespace robust_kbench
