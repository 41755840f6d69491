#include "mutation.hpp"

namespace robust_kbench::mutants {

std::string_view to_string(Intent intent) {
  switch (intent) {
    case Intent::compilation:
      return "compilation";
    case Intent::memory:
      return "memory";
    case Intent::numerics:
      return "numerics";
  }
  return "";
}

std::vector<Rule> all_rules() {
  std::vector<Rule> all = compilation_rules();
  for (const Rule& rule : memory_rules()) all.push_back(rule);
  for (const Rule& rule : numerics_rules()) all.push_back(rule);
  for (const Rule& rule : formula_rules()) all.push_back(rule);
  return all;
}

std::vector<Mutant> mutants_of(std::string_view source) {
  const Code code(source);
  std::vector<Mutant> mutants;
  for (const Rule& rule : all_rules()) {
    int place = 0;
    for (const Edit& edit : rule.edits(code)) {
      mutants.push_back({std::string(rule.name), rule.intent, place++, edited(source, {edit})});
    }
  }
  return mutants;
}

}  // namespace robust_kbench::mutants
