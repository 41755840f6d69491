#include <string>

#include "mutation.hpp"
#include "places.hpp"

namespace robust_kbench::mutants {
namespace {

// A loop makes one iteration too many.
std::vector<Edit> one_past(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("<")) {
    const std::size_t open = places.bracket(i);
    if (open > 0 && open < code.size() && code.text(open - 1) == "for") {
      edits.push_back(replacement(code, {i, i + 1}, "<="));
    }
  }
  return edits;
}

// A last part is taken for a whole one.
std::vector<Edit> missing_tail(const Code& code) {
  std::vector<Edit> edits;
  for (const std::size_t open : calls_of(code, {"std", "::", "min"}, 2)) {
    const Range first = arguments_of(code, open).front();
    edits.push_back(replacement(code, {open - 3, code.partner(open) + 1},
                                "(" + std::string(code.slice(first)) + ")"));
  }
  return edits;
}

std::vector<Edit> missing_bound_check(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("if")) {
    if (code.text(i + 1) != "(") continue;
    edits.push_back(replacement(code, {i + 2, code.partner(i + 1)}, "true"));
  }
  return edits;
}

// What a call of one of torch's factories of memory is replaced by.
std::vector<Edit> in_place_of_factory(const Code& code, const std::string& name,
                                      std::string (*text)(const Code&, std::size_t open)) {
  std::vector<Edit> edits;
  for (const std::size_t open : calls_of(code, {"torch", "::", name}, 1)) {
    edits.push_back(replacement(code, {open - 3, code.partner(open) + 1}, text(code, open)));
  }
  return edits;
}

std::vector<Edit> output_in_input(const Code& code) {
  return in_place_of_factory(code, "empty_like", [](const Code& source, std::size_t open) {
    return std::string(source.slice(arguments_of(source, open).front()));
  });
}

std::vector<Edit> missing_allocation(const Code& code) {
  const auto nothing = [](const Code&, std::size_t) -> std::string { return "torch::Tensor()"; };
  std::vector<Edit> edits = in_place_of_factory(code, "empty_like", nothing);
  for (const Edit& edit : in_place_of_factory(code, "empty", nothing)) edits.push_back(edit);
  return edits;
}

// The tensor has the right shape, but the memory of a smaller one.
std::vector<Edit> small_allocation(const Code& code) {
  return in_place_of_factory(code, "empty_like", [](const Code& source, std::size_t open) {
    const std::string like(source.slice(arguments_of(source, open).front()));
    return "torch::empty({1}, " + like + ".options()).expand(" + like + ".sizes())";
  });
}

// An element is written one past its place.
std::vector<Edit> index_past(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("[")) {
    const std::size_t close = code.partner(i);
    if (i == 0 || !code.is_name(i - 1) || close >= code.size()) continue;
    const std::string_view after = code.text(close + 1);
    if (after == "=" || after == "+=") {
      edits.push_back(replacement(code, {close, close + 1}, " + 1]"));
    }
  }
  return edits;
}

std::vector<Edit> uninitialised(const Code& code) {
  const Places places(code);
  std::vector<Edit> edits;
  for (const std::size_t i : places.of("=")) {
    if (i < 2 || !code.is_name(i - 1) || code.text(i + 2) != ";") continue;
    const std::string_view type = code.text(i - 2);
    const bool is_constant = i > 2 && code.text(i - 3) == "const";
    if ((type == "float" || type == "double") && !is_constant) {
      edits.push_back(replacement(code, {i, i + 2}, ""));
    }
  }
  return edits;
}

// The kernel works on another tensor than it should.
std::vector<Edit> other_tensor(const Code& code) {
  std::vector<std::size_t> names;
  for (std::size_t i = 1; i < code.size(); ++i) {
    if (code.spells(i, {".", "data_ptr"}) && code.is_name(i - 1)) names.push_back(i - 1);
  }
  std::vector<Edit> edits;
  for (std::size_t k = 1; k < names.size(); ++k) {
    const std::string other(code.text(names[k - 1]));
    if (code.text(names[k]) != other) {
      edits.push_back(replacement(code, {names[k], names[k] + 1}, other));
    }
  }
  return edits;
}

std::vector<Edit> null_pointer(const Code& code) {
  std::vector<Edit> edits;
  for (std::size_t i = 2; i < code.size(); ++i) {
    if (!code.spells(i, {".", "data_ptr", "<", "float", ">", "(", ")"})) continue;
    const std::string_view before = code.text(i - 2);
    if (before != "(" && before != ",") continue;
    edits.push_back(replacement(code, {i - 1, i + 7}, "static_cast<float*>(nullptr)"));
  }
  return edits;
}

std::vector<Edit> missing_barrier(const Code& code) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.is_directive(i) && code.text(i) == "#pragma omp barrier") {
      edits.push_back(replacement(code, {i, i + 1}, ""));
    }
    if (code.spells(i, {"__syncthreads", "(", ")", ";"})) {
      edits.push_back(replacement(code, {i, i + 4}, ";"));
    }
  }
  return edits;
}

// More than a multiprocessor has.
std::vector<Edit> large_shared_memory(const Code& code) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.text(i) != "__shared__") continue;
    const std::size_t end = code.find({i, code.size()}, ";");
    const std::size_t open = code.find({i, end}, "[");
    if (open == end || code.partner(open) == open + 1) continue;
    edits.push_back(replacement(code, {open, open + 1}, "[65536 * "));
  }
  return edits;
}

}  // namespace

std::vector<Rule> memory_rules() {
  const Intent intent = Intent::memory;
  return {{"one_past", intent, one_past},
          {"missing_tail", intent, missing_tail},
          {"missing_bound_check", intent, missing_bound_check},
          {"output_in_input", intent, output_in_input},
          {"missing_allocation", intent, missing_allocation},
          {"small_allocation", intent, small_allocation},
          {"index_past", intent, index_past},
          {"uninitialised", intent, uninitialised},
          {"other_tensor", intent, other_tensor},
          {"null_pointer", intent, null_pointer},
          {"missing_barrier", intent, missing_barrier},
          {"large_shared_memory", intent, large_shared_memory}};
}

}  // namespace robust_kbench::mutants
