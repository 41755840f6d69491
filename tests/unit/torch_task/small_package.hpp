#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// A package of y = max(x w^T, 0) with x (batch, 3) and w (2, 3). Batches of 4 and 5 are listed.
// Those of 1, 2, 3 and 7 are drawn.
inline nlohmann::json small_package() {
  using nlohmann::json;
  const auto point = [](int batch) {
    const json x{{"name", "x"},
                 {"shape", {batch, 3}},
                 {"dtype", "float32"},
                 {"distribution", {{"kind", "normal"}, {"a", 0.0}, {"b", 1.0}}}};
    const json w{{"name", "w"},
                 {"shape", {2, 3}},
                 {"dtype", "float32"},
                 {"distribution", {{"kind", "uniform"}, {"a", -1.0}, {"b", 1.0}}}};
    return json{
        {"params", {{"batch", batch}}},
        {"graph", 0},
        {"inputs", {x}},
        {"weights", {w}},
        {"outputs", {{{"name", "y"}, {"shape", {batch, 2}}, {"dtype", "float32"}}}},
        {"arguments", {{{"tensor", "x"}}, {{"tensor", "w"}}, {{"value", 0.5}, {"name", "slope"}}}},
        {"backward_arguments", {{{"tensor", "grad_output"}}, {{"tensor", "x"}}}},
        {"flops", 12.0 * batch},
        {"bytes", 4.0 * (5 * batch + 6)},
        {"longest_sums", {3}},
        {"backward_longest_sums", {2, batch}}};
  };
  const json linear{{"op", "aten::linear"}, {"args", {{{"t", 0}}, {{"t", 1}}}}, {"outputs", 1}};
  const json relu{{"op", "aten::relu"}, {"args", json::array({{{"t", 2}}})}, {"outputs", 1}};
  const json configs{{"small_init_configs", {json::object()}},
                     {"small_input_configs", {{{"batch", 4}}, {{"batch", 5}}}},
                     {"small_shared_configs", {json::object()}}};
  json points = json::array();
  for (const int batch : {4, 5, 1, 2, 3, 7}) points.push_back(point(batch));
  return {
      {"format", "robust-kbench task"},
      {"version", 1},
      {"name", "small_linear"},
      {"summary", "A linear layer and a ReLU."},
      {"kind", "kernelbench"},
      {"made_with", {{"torch", "2.11.0"}, {"python", "3.11"}, {"importer", "0"}}},
      {"source", {{"file", "small_linear.py"}, {"text", "import torch\n"}, {"sha256", "0"}}},
      {"defaults", {{"batch", 4}}},
      {"configs", {{"forward", configs}, {"backward", configs}}},
      {"points", points},
      {"drawn", {{"forward", {{{"batch", 1}}, {{"batch", 2}}, {{"batch", 3}}, {{"batch", 7}}}}}},
      {"graphs",
       {{{"inputs", {"x", "w"}},
         {"constants", json::array()},
         {"nodes", {linear, relu}},
         {"outputs", {3}}}}},
      {"backward", {{"outputs", {"x", "w"}}}},
      {"domain", {{"inapplicable", json::array()}, {"chooses_among_inputs", false}}}};
}

// A test's file, which is removed with this object.
class PackageFile {
 public:
  explicit PackageFile(const nlohmann::json& content)
      : m_directory(std::filesystem::temp_directory_path() /
                    ("torch_task_test_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(m_directory);
    std::ofstream(path()) << content.dump(1);
  }
  PackageFile(const PackageFile&) = delete;
  PackageFile& operator=(const PackageFile&) = delete;
  ~PackageFile() { std::filesystem::remove_all(m_directory); }

  [[nodiscard]] const std::filesystem::path& directory() const { return m_directory; }
  [[nodiscard]] std::filesystem::path path() const {
    return m_directory / "small_linear.task.json";
  }

 private:
  std::filesystem::path m_directory;
};

}  // namespace robust_kbench
