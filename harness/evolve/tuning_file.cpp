#include "evolve/tuning_file.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/text_file.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using Json = nlohmann::json;

constexpr const char* remedy =
    "; T1 has ConfigurationSpace.TuningParameters, a list of objects with Name and Values, and "
    "ConfigurationSpace.Conditions, a list of objects with Expression";

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
  throw UserError(name + ": " + reason + remedy);
}

// The values of a list; "[16, 32]" and "['a', 'b']" are lists as Python writes them.
Json list_of(const Json& values, const std::string& name, const std::string& parameter) {
  Json list = values;
  if (values.is_string()) {
    std::string text = values.get<std::string>();
    std::replace(text.begin(), text.end(), '\'', '"');
    list = Json::parse(text, nullptr, false);
  }
  if (list.is_array() && !list.empty()) return list;
  fail(name, "the values of parameter '" + parameter + "' are " + values.dump() +
                 ", no list of constants");
}

std::string value_of(const Json& value, const std::string& name, const std::string& parameter) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  fail(name, "parameter '" + parameter + "' has the value " + value.dump());
}

std::string integer_division(std::string expression) {
  for (std::size_t at = 0; (at = expression.find("//", at)) != std::string::npos;) {
    expression.erase(at, 1);
  }
  return expression;
}

}  // namespace

TunableDeclarations parse_tuning_file(std::string_view text, const std::string& name) {
  TunableDeclarations declarations;
  try {
    const Json space = Json::parse(text).at("ConfigurationSpace");
    for (const Json& parameter : space.at("TuningParameters")) {
      const std::string tunable = parameter.at("Name").get<std::string>();
      std::vector<std::string>& values = declarations.values[tunable];
      for (const Json& value : list_of(parameter.at("Values"), name, tunable)) {
        values.push_back(value_of(value, name, tunable));
      }
    }
    for (const Json& condition : space.value("Conditions", Json::array())) {
      declarations.restrictions.push_back(
          integer_division(condition.at("Expression").get<std::string>()));
    }
  } catch (const Json::exception& error) {
    fail(name, error.what());
  }
  return declarations;
}

std::optional<TunableDeclarations> tuning_file_beside(const std::filesystem::path& source) {
  std::filesystem::path file = source;
  file.replace_extension(".json");
  const std::optional<std::string> text = read_text(file);
  if (!text) return std::nullopt;
  return parse_tuning_file(*text, file.string());
}

}  // namespace robust_kbench
