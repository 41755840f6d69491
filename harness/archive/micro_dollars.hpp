#pragma once

#include <cstdint>
#include <string>

namespace robust_kbench {

// An amount of money in millionths of a US dollar. An integer, so that sums are exact.
struct MicroDollars {
  std::int64_t count = 0;

  friend bool operator==(const MicroDollars&, const MicroDollars&) = default;
  friend bool operator<(MicroDollars a, MicroDollars b) { return a.count < b.count; }
  friend bool operator>(MicroDollars a, MicroDollars b) { return b < a; }
  friend bool operator<=(MicroDollars a, MicroDollars b) { return !(b < a); }
  friend MicroDollars operator+(MicroDollars a, MicroDollars b) { return {a.count + b.count}; }
  friend MicroDollars operator-(MicroDollars a, MicroDollars b) { return {a.count - b.count}; }
};

// A million dollars. Sums of a million such amounts do not overflow.
inline constexpr MicroDollars most_micro_dollars{1'000'000'000'000};

// Parses "2", "2.5" or "0.000125". Throws UserError for anything else, for more than six decimals
// and for more than a million dollars. `who` begins the message.
MicroDollars parse_dollars(const std::string& text, const std::string& who);

// "$2.50". Further decimals are printed only where they are not 0: "$0.000125".
std::string to_text(MicroDollars amount);

}  // namespace robust_kbench
