#include "archive/micro_dollars.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

constexpr std::int64_t per_dollar = 1'000'000;
constexpr std::size_t decimals = 6;
constexpr std::size_t most_digits = 7;  // of whole dollars

bool are_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

MicroDollars parse_dollars(const std::string& text, const std::string& who) {
  const std::size_t point = text.find('.');
  const std::string whole = text.substr(0, point);
  std::string fraction = point == std::string::npos ? "" : text.substr(point + 1);
  const bool is_amount = !whole.empty() && whole.size() <= most_digits && are_digits(whole) &&
                         fraction.size() <= decimals && are_digits(fraction) &&
                         (point == std::string::npos || !fraction.empty());
  fraction.resize(decimals, '0');
  const MicroDollars amount =
      is_amount ? MicroDollars{std::stoll(whole) * per_dollar + std::stoll(fraction)}
                : most_micro_dollars + MicroDollars{1};
  if (amount <= most_micro_dollars) return amount;
  throw UserError(who + " is '" + text +
                  "'; give dollars from 0 to 1000000 with up to six decimals, as 2.50");
}

std::string to_text(MicroDollars amount) {
  const std::string sign = amount.count < 0 ? "-" : "";
  const std::int64_t count = amount.count < 0 ? -amount.count : amount.count;
  std::string fraction = std::to_string(per_dollar + count % per_dollar).substr(1);
  while (fraction.size() > 2 && fraction.back() == '0') fraction.pop_back();
  return sign + "$" + std::to_string(count / per_dollar) + "." + fraction;
}

}  // namespace robust_kbench
