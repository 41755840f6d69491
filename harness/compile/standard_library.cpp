#include "compile/standard_library.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "compile/quoted_headers.hpp"
#include "core/device.hpp"

namespace robust_kbench {
namespace {

struct StandardHeader {
  const char* header;
  const char* names;  // of namespace std, or a whole pattern where `is_pattern` says so
  bool is_pattern = false;
};

// Headers that compile/lean_headers.cpp handles are not here: <algorithm>, <array>, <optional>,
// <string>, <tuple>, <vector>. A name missing here costs a second compilation, no verdict.
constexpr StandardHeader host_headers[] = {
    {"any", "any|any_cast|make_any"},
    {"atomic", "atomic\\w*|memory_order\\w*"},
    {"bitset", "bitset"},
    {"chrono", "chrono"},
    {"complex", "complex|polar|conj"},
    {"condition_variable", "condition_variable|condition_variable_any|cv_status"},
    {"deque", "deque"},
    {"forward_list", "forward_list"},
    {"fstream", "[io]?fstream|filebuf"},
    {"functional",
     "function|bind|hash|ref|cref|reference_wrapper|mem_fn|not_fn|invoke|placeholders|plus|minus|"
     "multiplies|divides|modulus|negate|less|greater|less_equal|greater_equal|equal_to|"
     "not_equal_to|logical_\\w+|bit_(and|or|xor|not)"},
    {"future", "future|shared_future|future_status|promise|async|launch|packaged_task"},
    {"iomanip", "setprecision|setw|setfill|setbase|quoted|put_time|get_time"},
    {"iostream",
     "cout|cerr|clog|cin|endl|flush|i?o?stream|ios|ios_base|hex|dec|fixed|scientific|boolalpha"},
    {"iterator",
     "inserter|back_inserter|front_inserter|[io]stream_iterator|advance|distance|next|prev|"
     "make_move_iterator|make_reverse_iterator|iterator_traits|\\w+_iterator_tag"},
    {"list", "list"},
    {"map", "map|multimap"},
    {"memory",
     "unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared|default_delete|allocator\\w*|"
     "enable_shared_from_this|addressof|align|uninitialized_\\w+|destroy\\w*|pointer_traits"},
    {"mutex",
     "\\w*mutex|lock_guard|unique_lock|scoped_lock|once_flag|call_once|try_lock|defer_lock|"
     "adopt_lock|try_to_lock"},
    {"numeric",
     "accumulate|inner_product|iota|partial_sum|adjacent_difference|reduce|transform_reduce|"
     "(in|ex)clusive_scan|gcd|lcm"},
    {"queue", "queue|priority_queue"},
    {"random",
     "mt19937\\w*|minstd_rand0?|ranlux\\w+|random_device|default_random_engine|seed_seq|"
     "\\w+_distribution|generate_canonical"},
    {"set", "set|multiset"},
    {"shared_mutex", "shared_mutex|shared_timed_mutex|shared_lock"},
    {"sstream", "[io]?stringstream|stringbuf"},
    {"stack", "stack"},
    {"string_view", "string_view"},
    {"thread", "thread|this_thread"},
    {"typeindex", "type_index"},
    {"typeinfo", "\\btypeid\\b", true},
    {"unordered_map", "unordered_map|unordered_multimap"},
    {"unordered_set", "unordered_set|unordered_multiset"},
    {"valarray", "valarray"},
    {"variant", "variant\\w*|visit|monostate|holds_alternative|get_if|bad_variant_access"},
    {"omp.h", "\\bomp_\\w+\\(", true},
    {"immintrin.h", "\\b_mm\\d*_\\w+\\(|\\b__m(128|256|512)[di]?\\b", true},
};

constexpr StandardHeader cuda_headers[] = {
    {"cuda_bf16.h", "\\b(__)?nv_bfloat16\\d*\\b", true},
    {"cuda_fp16.h", "\\b__half2?\\b|\\bhalf2\\b|\\b__float2half\\w*|\\b__half2float\\b", true},
    {"cublas_v2.h", "\\bcublas[A-Z]\\w+\\(|\\bCUBLAS_\\w+", true},
};

// The words that follow "std::" in the text.
std::set<std::string> standard_names_in(const std::string& text) {
  static const std::regex name(R"(\bstd::(\w+))");
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) {
    found.insert((*at)[1]);
  }
  return found;
}

bool is_named(const StandardHeader& row, const std::string& text,
              const std::set<std::string>& standard_names) {
  const std::regex pattern(row.names);
  if (row.is_pattern) return std::regex_search(text, pattern);
  return std::any_of(standard_names.begin(), standard_names.end(),
                     [&](const std::string& name) { return std::regex_match(name, pattern); });
}

bool includes(const std::string& text, const std::string& header) {
  std::string name = header;
  if (const std::size_t dot = name.find('.'); dot != std::string::npos) name.insert(dot, "\\");
  return std::regex_search(text, std::regex("#[ \t]*include[ \t]*[<\"]" + name + "[>\"]"));
}

}  // namespace

std::vector<std::string> named_standard_headers(const KernelSource& kernel) {
  const std::string text = quoted_text(kernel);
  const std::set<std::string> standard_names = standard_names_in(text);
  std::vector<std::string> options;
  const auto add = [&](const StandardHeader& row) {
    if (!is_named(row, text, standard_names) || includes(text, row.header)) return;
    options.insert(options.end(), {"-include", row.header});
  };
  std::for_each(std::begin(host_headers), std::end(host_headers), add);
  if (kernel.device == Device::cuda) {
    std::for_each(std::begin(cuda_headers), std::end(cuda_headers), add);
  }
  return options;
}

std::vector<std::string> all_standard_headers() {
  return {"-include", "robust_kbench/standard_library.h"};
}

}  // namespace robust_kbench
