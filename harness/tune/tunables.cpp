#include "tune/tunables.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "source/marked_comment.hpp"
#include "source/source_error.hpp"
#include "tune/constants.hpp"

namespace robust_kbench {
namespace {

constexpr std::array device_fact_names = {"shared_memory_per_block",
                                          "shared_memory_per_block_optin",
                                          "registers_per_block",
                                          "threads_per_block",
                                          "multiprocessors",
                                          "cpu_cores",
                                          "l1_bytes",
                                          "l2_bytes",
                                          "l3_bytes"};

bool is_device_fact(const std::string& name) {
  return std::find(device_fact_names.begin(), device_fact_names.end(), name) !=
         device_fact_names.end();
}

bool has_value(const Tunable& tunable, const std::string& value) {
  return std::find(tunable.values.begin(), tunable.values.end(), value) != tunable.values.end();
}

bool has_integers_only(const Tunable& tunable) {
  return std::all_of(tunable.values.begin(), tunable.values.end(),
                     [](const std::string& value) { return integer_of(value).has_value(); });
}

const Tunable* find(const std::vector<Tunable>& tunables, const std::string& name) {
  const auto found = std::find_if(tunables.begin(), tunables.end(),
                                  [&name](const Tunable& tunable) { return tunable.name == name; });
  return found == tunables.end() ? nullptr : &*found;
}

std::string known_names(const std::vector<Tunable>& tunables) {
  std::string text;
  for (const Tunable& tunable : tunables) text += tunable.name + ", ";
  for (const char* fact : device_fact_names) text += std::string(fact) + ", ";
  return text.substr(0, text.size() - 2);
}

}  // namespace

TunableSpace TunableSpace::of(std::string_view source,
                              const std::map<std::string, long long>& device_facts,
                              const TunableDeclarations& further) {
  TunableSpace space;
  space.m_source = source;
  space.m_device_facts = device_facts;
  space.m_tunables = tunables_of(source, further.values);
  for (const MarkedComment& comment : marked_comments(tokenize(source))) {
    if (comment.mark == "restriction") space.add_restriction(comment.text, comment.line);
  }
  for (const std::string& text : further.restrictions) space.add_restriction(text, 0);
  return space;
}

void TunableSpace::add_restriction(std::string_view text, int line) {
  Restriction restriction = Restriction::parse(text, line);
  bool is_known = true;
  for (const std::string& name : restriction.names()) {
    const Tunable* tunable = find(m_tunables, name);
    if (tunable && has_integers_only(*tunable)) continue;
    if (tunable || !is_device_fact(name)) {
      throw SourceError(line, std::string(text),
                        "'" + name +
                            (tunable ? "' has values that are no integers"
                                     : "' is no tunable and no fact of a device"),
                        "known are " + known_names(m_tunables));
    }
    is_known = is_known && m_device_facts.contains(name);
  }
  if (is_known) m_restrictions.push_back(std::move(restriction));
}

std::uint64_t TunableSpace::size() const {
  std::uint64_t product = 1;
  for (const Tunable& tunable : m_tunables) {
    if (__builtin_mul_overflow(product, tunable.values.size(), &product)) {
      return std::numeric_limits<std::uint64_t>::max();
    }
  }
  return product;
}

bool TunableSpace::allows(const Setting& setting) const {
  if (setting.size() != m_tunables.size()) return false;
  for (const Tunable& tunable : m_tunables) {
    const auto value = setting.find(tunable.name);
    if (value == setting.end() || !has_value(tunable, value->second)) return false;
  }
  const auto value_of = [&](const std::string& name) -> std::optional<long long> {
    const auto value = setting.find(name);
    return value == setting.end() ? m_device_facts.at(name) : integer_of(value->second);
  };
  return std::all_of(
      m_restrictions.begin(), m_restrictions.end(),
      [&](const Restriction& restriction) { return restriction.holds(value_of).value_or(false); });
}

Setting TunableSpace::current() const {
  Setting setting;
  for (const Tunable& tunable : m_tunables) setting[tunable.name] = tunable.current;
  return setting;
}

std::string TunableSpace::apply(const Setting& setting) const {
  for (const auto& [name, value] : setting) {
    const Tunable* tunable = find(m_tunables, name);
    if (tunable && has_value(*tunable, value)) continue;
    std::string known = tunable ? "" : known_names(m_tunables);
    for (std::size_t i = 0; tunable && i < tunable->values.size(); ++i) {
      known += (i == 0 ? "" : ", ") + tunable->values[i];
    }
    throw SourceError(tunable ? tunable->line : 0, name + " = " + value,
                      tunable ? "this is none of its values" : "there is no such tunable",
                      "known are " + known);
  }
  std::string text;
  std::size_t copied = 0;
  for (const Tunable& tunable : m_tunables) {  // in the order of the source
    const auto value = setting.find(tunable.name);
    text += m_source.substr(copied, tunable.offset - copied);
    text += value == setting.end() ? tunable.current : value->second;
    copied = tunable.offset + tunable.current.size();
  }
  return text + m_source.substr(copied);
}

}  // namespace robust_kbench
