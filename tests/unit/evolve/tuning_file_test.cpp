#include "evolve/tuning_file.hpp"

#include <fstream>
#include <string>

#include "core/error.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::StartsWith;

const std::string convolution = R"({
  "General": {"BenchmarkName": "convolution", "OutputFormat": "JSON"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "block_size_x", "Type": "int", "Values": "[16, 32, 48]", "Default": 16},
      {"Name": "layout", "Type": "string", "Values": "['rows', 'columns']", "Default": "rows"},
      {"Name": "padding", "Type": "bool", "Values": [true, false], "Default": true}
    ],
    "Conditions": [
      {"Expression": "16 <= block_size_x // 2 <= 24", "Parameters": ["block_size_x"]}
    ]
  }
})";

std::string message_of(const std::string& text) {
  try {
    parse_tuning_file(text, "k.json");
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::string of_parameter(const std::string& parameter) {
  return R"({"ConfigurationSpace": {"TuningParameters": [)" + parameter + "]}}";
}

TEST(TuningFile, holds_parameters_and_conditions) {
  const TunableDeclarations declarations = parse_tuning_file(convolution, "k.json");
  EXPECT_THAT(declarations.values, ElementsAre(Pair("block_size_x", ElementsAre("16", "32", "48")),
                                               Pair("layout", ElementsAre("rows", "columns")),
                                               Pair("padding", ElementsAre("true", "false"))));
  EXPECT_THAT(declarations.restrictions, ElementsAre("16 <= block_size_x / 2 <= 24"));
}

TEST(TuningFile, declares_the_tunables_of_a_source) {
  const TunableSpace space = TunableSpace::of(
      "#define block_size_x 16\nusing layout = rows;\nconstexpr bool padding = true;\n", {},
      parse_tuning_file(convolution, "k.json"));
  EXPECT_EQ(space.size(), 3U * 2 * 2);
  EXPECT_TRUE(space.allows({{"block_size_x", "48"}, {"layout", "columns"}, {"padding", "false"}}));
  EXPECT_FALSE(space.allows(space.current()));
}

TEST(TuningFile, lies_beside_a_source) {
  const TemporaryDirectory directory("tuning");
  const std::filesystem::path source = directory.path() / "kernel.cu";
  EXPECT_FALSE(tuning_file_beside(source).has_value());
  std::ofstream(directory.path() / "kernel.json") << convolution;
  const auto declarations = tuning_file_beside(source);
  ASSERT_TRUE(declarations);
  EXPECT_EQ(declarations->values.size(), 3U);
}

TEST(TuningFile, that_says_something_else_is_refused_with_its_name) {
  const std::string computed = of_parameter(R"json({"Name": "a", "Values": "range(1, 9)"})json");
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("{}"),
        std::string(R"({"ConfigurationSpace": {}})"), of_parameter(R"({"Name": "a"})"),
        of_parameter(R"({"Name": 1, "Values": [1]})"),
        of_parameter(R"({"Name": "a", "Values": []})"),
        of_parameter(R"({"Name": "a", "Values": 4})"),
        of_parameter(R"({"Name": "a", "Values": [[1]]})"), computed}) {
    EXPECT_THAT(message_of(text), StartsWith("k.json: ")) << text;
    EXPECT_THAT(message_of(text), HasSubstr("T1 has ConfigurationSpace")) << text;
  }
  EXPECT_THAT(message_of(computed),
              HasSubstr("the values of parameter 'a' are \"range(1, 9)\", no list of constants"));
}

}  // namespace
}  // namespace robust_kbench
