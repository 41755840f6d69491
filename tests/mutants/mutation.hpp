#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "source/code.hpp"

namespace robust_kbench::mutants {

// What a rule makes a kernel wrong in, if it does: the class of one verifier. It is no label.
enum class Intent { compilation, memory, numerics };

std::string_view to_string(Intent intent);

// A way to make a wrong kernel from a right one, by one edit at a time.
struct Rule {
  std::string_view name;
  Intent intent;
  std::vector<Edit> (*edits)(const Code& code);  // at each of its places
};

std::vector<Rule> compilation_rules();
std::vector<Rule> memory_rules();
std::vector<Rule> numerics_rules();
std::vector<Rule> formula_rules();
std::vector<Rule> all_rules();

// A source after the edit of a rule at one of its places.
struct Mutant {
  std::string rule;
  Intent intent;
  int place;  // from 0, in the order of the source
  std::string source;
};

// Those of all rules. They depend on the source alone.
std::vector<Mutant> mutants_of(std::string_view source);

}  // namespace robust_kbench::mutants
