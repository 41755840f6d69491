#include "runs/pilots/job_name.hpp"

#include <charconv>

#include "core/seed.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

template <typename Number>
bool reads_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

}  // namespace

std::string job_for_model(const std::string& model) {
  return fmt::format("model-{:016x}", hash(model));
}

std::string to_string(const JobName& name) {
  return fmt::format("{}-{:08}.{}.{}", name.coordinator, name.number, name.attempt, name.whose);
}

std::optional<JobName> parse_job_name(std::string_view text) {
  const std::size_t first = text.find('.');
  const std::size_t second = text.find('.', first == text.npos ? first : first + 1);
  if (second == text.npos) return std::nullopt;
  const std::string_view posted = text.substr(0, first);
  const std::size_t dash = posted.rfind('-');
  if (dash == posted.npos) return std::nullopt;
  JobName name{.coordinator = std::string(posted.substr(0, dash)),
               .whose = std::string(text.substr(second + 1))};
  const bool numbers = reads_number(posted.substr(dash + 1), name.number) &&
                       reads_number(text.substr(first + 1, second - first - 1), name.attempt);
  if (!numbers || name.whose.empty() || name.whose.find('.') != std::string::npos) {
    return std::nullopt;
  }
  return name;
}

std::string to_string(const LeaseName& name) {
  return fmt::format("{}.{}", name.holder, name.renewals);
}

std::optional<LeaseName> parse_lease_name(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  LeaseName name;
  if (dot == text.npos || dot == 0 || !reads_number(text.substr(dot + 1), name.renewals)) {
    return std::nullopt;
  }
  name.holder = text.substr(0, dot);
  return name;
}

}  // namespace robust_kbench
