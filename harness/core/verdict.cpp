#include "core/verdict.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

// In order of precedence: the verdict of a kernel is the first of these that any of its cases has.
constexpr std::array<std::pair<Verdict, std::string_view>, 14> verdict_names{{
    {Verdict::harness_error, "harness_error"},
    {Verdict::compile_error, "compile_error"},
    {Verdict::load_error, "load_error"},
    {Verdict::cheat, "cheat"},
    {Verdict::sandbox_violation, "sandbox_violation"},
    {Verdict::unsafe, "unsafe"},
    {Verdict::crash, "crash"},
    {Verdict::out_of_memory, "out_of_memory"},
    {Verdict::timeout, "timeout"},
    {Verdict::exception, "exception"},
    {Verdict::wrong_result, "wrong_result"},
    {Verdict::nondeterministic, "nondeterministic"},
    {Verdict::skipped, "skipped"},
    {Verdict::pass, "pass"},
}};

constexpr std::array<std::pair<CheatClass, std::string_view>, 7> cheat_class_names{{
    {CheatClass::none, "none"},
    {CheatClass::input_mutation, "input_mutation"},
    {CheatClass::out_of_bounds_write, "out_of_bounds_write"},
    {CheatClass::input_as_output, "input_as_output"},
    {CheatClass::late_write, "late_write"},
    {CheatClass::left_process, "left_process"},
    {CheatClass::timing, "timing"},
}};

template <typename Table, typename Value>
std::string_view name_of(const Table& table, Value value) {
  return std::find_if(table.begin(), table.end(),
                      [&](const auto& row) { return row.first == value; })
      ->second;
}

template <typename Table>
auto value_of(const Table& table, std::string_view what, std::string_view name) {
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const auto& r) { return r.second == name; });
  if (row == table.end()) {
    std::string allowed;
    for (const auto& r : table) allowed += (allowed.empty() ? "" : ", ") + std::string(r.second);
    throw UserError(std::string(what) + " '" + std::string(name) +
                    "' is unknown; known: " + allowed);
  }
  return row->first;
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  return name_of(verdict_names, verdict);
}

std::string_view to_string(CheatClass cheat_class) {
  return name_of(cheat_class_names, cheat_class);
}

Verdict parse_verdict(std::string_view name) {
  return value_of(verdict_names, "verdict", name);
}

CheatClass parse_cheat_class(std::string_view name) {
  return value_of(cheat_class_names, "cheat class", name);
}

bool outranks(Verdict verdict, Verdict other) {
  const auto rank = [](Verdict v) {
    return std::find_if(verdict_names.begin(), verdict_names.end(),
                        [&](const auto& row) { return row.first == v; }) -
           verdict_names.begin();
  };
  return rank(verdict) < rank(other);
}

}  // namespace robust_kbench
