#include "compile/audit/symbol_class.hpp"

#include <map>
#include <sstream>
#include <vector>

#include "compile/audit/symbol_lists.hpp"
#include "process/demangle.hpp"

namespace robust_kbench {
namespace {

using Names = std::map<std::string, std::optional<Capability>, std::less<>>;

struct Lists {
  Names names;
  Names prefixes;
};

Lists all_lists() {
  Lists lists;
  for (const auto& part : {lists_of_capabilities(), lists_of_harmless_symbols()}) {
    for (const SymbolList& list : part) {
      std::istringstream words{std::string(list.names)};
      for (std::string word; words >> word;) {
        const bool prefix = word.back() == '*';
        if (prefix) word.pop_back();
        (prefix ? lists.prefixes : lists.names)[word] = list.capability;
      }
    }
  }
  return lists;
}

// The entry that fits a name best; nullptr if none does.
const std::optional<Capability>* find_entry(std::string_view name) {
  static const Lists lists = all_lists();
  const auto exact = lists.names.find(name);
  if (exact != lists.names.end()) return &exact->second;
  for (std::size_t length = name.size(); length > 0; --length) {
    const auto prefix = lists.prefixes.find(name.substr(0, length));
    if (prefix != lists.prefixes.end()) return &prefix->second;
  }
  return nullptr;
}

// The C library's other spellings of a function: __open64_2 and __read_chk, __isoc99_fscanf,
// __exp_finite, expf.
std::vector<std::string_view> spellings(std::string_view name) {
  std::vector<std::string_view> all{name};
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "__libc_", "__xpg_", "__"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    all.push_back(name);
    break;
  }
  for (const std::string_view suffix : {"_chk", "_finite", "_2", "64", "_r", "f", "l"}) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    all.push_back(name);
  }
  return all;
}

std::string without_template_arguments(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) plain += c;
    if (c == '>') --depth;
  }
  return plain;
}

// Removes the demangler's description, such as "vtable for", before a name.
std::string_view without_kind(std::string_view text) {
  for (const std::string_view kind :
       {"typeinfo for ", "typeinfo name for ", "vtable for ", "VTT for ", "guard variable for ",
        "construction vtable for ", "TLS init function for ", "TLS wrapper function for "}) {
    if (text.starts_with(kind)) text.remove_prefix(kind.size());
  }
  return text;
}

}  // namespace

std::string plain_name(std::string_view symbol) {
  if (!symbol.starts_with("_Z") || symbol.starts_with("_ZGV")) return std::string(symbol);
  const std::string text = demangled(symbol);
  const std::string_view name = without_kind(text);
  const std::size_t word = name.find("operator");
  // The brackets of an operator's name are no template's.
  if (word != std::string_view::npos) {
    const std::string before = without_template_arguments(name.substr(0, word));
    return before.substr(before.rfind(' ') + 1) + "operator";
  }
  std::string plain = without_template_arguments(name);
  plain = plain.substr(0, plain.find('('));
  plain = plain.substr(plain.rfind(' ') + 1);
  for (const std::string_view space : {"__cxx11::", "_V2::"}) {
    const std::size_t at = plain.find(space);
    if (at != std::string::npos) plain.erase(at, space.size());
  }
  return plain;
}

std::optional<Capability> capability_of_symbol(std::string_view symbol) {
  const std::string plain = plain_name(symbol);
  for (const std::string_view name : spellings(plain)) {
    if (const auto* entry = find_entry(name)) return *entry;
  }
  return Capability::other;
}

}  // namespace robust_kbench
