#include "archive/timestamp.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

namespace robust_kbench {

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

}  // namespace robust_kbench
