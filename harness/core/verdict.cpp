#include "core/verdict.hpp"

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

// Ordered by precedence: the verdict of a kernel is the first of these that any of its cases has.
constexpr EnumNames<Verdict, 14> verdict_names{
    "verdict",
    {{
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
    }}};

constexpr EnumNames<CheatClass, 7> cheat_class_names{
    "cheat class",
    {{
        {CheatClass::none, "none"},
        {CheatClass::input_mutation, "input_mutation"},
        {CheatClass::out_of_bounds_write, "out_of_bounds_write"},
        {CheatClass::input_as_output, "input_as_output"},
        {CheatClass::late_write, "late_write"},
        {CheatClass::left_process, "left_process"},
        {CheatClass::timing, "timing"},
    }}};

}  // namespace

std::string_view to_string(Verdict verdict) {
  return verdict_names.name_of(verdict);
}

std::string_view to_string(CheatClass cheat_class) {
  return cheat_class_names.name_of(cheat_class);
}

Verdict parse_verdict(std::string_view name) {
  return verdict_names.parse(name);
}

CheatClass parse_cheat_class(std::string_view name) {
  return cheat_class_names.parse(name);
}

bool outranks(Verdict verdict, Verdict other) {
  return verdict_names.index_of(verdict) < verdict_names.index_of(other);
}

}  // namespace robust_kbench
