#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "built_program.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// One case of one kernel: whether it is called at all is what is asked.
const std::vector<std::string> one_case{
    "--task", "mnist_linear", "--case",
    "small/batch_size_1.init_method_normal.num_input_features_5.num_output_features_3/seed_1"};

std::vector<std::string> joined(std::vector<std::string> words,
                                const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Sources as users have them, in a directory with a space in its name.
class Field : public testing::Test {
 protected:
  Field() {
    fs::create_directories(m_home);
    for (const char* sources : {"two_files", "modules"}) {
      fs::copy(fs::path(RKB_FIELD) / sources, m_home / sources, fs::copy_options::recursive);
    }
  }

  [[nodiscard]] CommandResult rkb_in(const fs::path& directory,
                                     std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), RKB_PROGRAM);
    return run_command(arguments, std::chrono::minutes{2}, directory);
  }

  // The record of one case, of files that are given as seen from `directory`.
  [[nodiscard]] json evaluated(const fs::path& directory, const std::vector<std::string>& words) {
    const std::string file = m_directory.path() / "record.json";
    const CommandResult result =
        rkb_in(directory, joined(joined({"evaluate", "--json", file}, one_case), words));
    m_output = result.output;
    m_exit_code = result.exit_code;
    if (result.exit_code > 1) {
      ADD_FAILURE() << result.output;
      return {{"verdict", "none"}};
    }
    return parse_json(read_text(file).value_or("")).at("kernels").at(0);
  }

  // What a user reads holds neither our symbols nor our files.
  void expect_names_of_the_user(const std::string& text) const {
    for (const char* ours : {"rkb_kernel_module", "rkb_module_body", "kernel.so", "module_of_",
                             "source_0", "robust_kbench_compile", "robust_kbench_evaluate"}) {
      EXPECT_THAT(text, Not(HasSubstr(ours)));
    }
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(m_home / name) << text;
    return name;
  }

  const TemporaryDirectory m_directory{"field"};
  const fs::path m_home = m_directory.path() / "my kernels";
  std::string m_output;
  int m_exit_code = 0;
};

TEST_F(Field, RelativePathsAreThoseOfTheWorkingDirectory) {
  const std::vector<std::string> here{"kernel.cpp", "--source", "scaled_sum.cpp", "-I", "."};
  EXPECT_EQ(evaluated(m_home / "two_files", here)["verdict"], "pass") << m_output;
  const std::vector<std::string> above{"two_files/kernel.cpp", "--source",
                                       "modules/../two_files/scaled_sum.cpp",
                                       "--option=-Itwo_files"};
  EXPECT_EQ(evaluated(m_home, above)["verdict"], "pass") << m_output;
  const std::vector<std::string> apart{"../two_files/kernel.cpp", "--source",
                                       "../two_files/scaled_sum.cpp", "--option=-isystem",
                                       "--option=../two_files"};
  EXPECT_EQ(evaluated(m_home / "modules", apart)["verdict"], "pass") << m_output;
}

TEST_F(Field, ALibraryMayBeGivenByARelativePath) {
  const fs::path home = m_home / "two_files";
  fs::create_directory(home / "lib");
  const CommandResult made =
      run_command({RKB_CXX, "-shared", "-fPIC", "scaled_sum.cpp", "-o", "lib/libscaled_sum.so"},
                  std::chrono::minutes{1}, home);
  ASSERT_EQ(made.exit_code, 0) << made.output;
  const std::vector<std::string> by_file{"kernel.cpp", "-I", ".", "--library",
                                         "lib/libscaled_sum.so"};
  EXPECT_EQ(evaluated(home, by_file)["verdict"], "pass") << m_output;
  const std::vector<std::string> by_name{"kernel.cpp",
                                         "-I",
                                         ".",
                                         "--library=-Llib",
                                         "--library=-lscaled_sum",
                                         "--library=-Wl,-rpath,lib"};
  EXPECT_EQ(evaluated(home, by_name)["verdict"], "pass") << m_output;
}

TEST_F(Field, EveryCommandTakesRelativePaths) {
  const fs::path home = m_home / "two_files";
  const std::vector<std::string> further{"--source", "scaled_sum.cpp", "-I", "."};
  const CommandResult compiled = rkb_in(home, joined({"compile", "kernel.cpp"}, further));
  EXPECT_EQ(compiled.exit_code, 0) << compiled.output;
  const CommandResult tested = rkb_in(
      home, joined(joined({"test", "--direction", "forward", "--kernel", "kernel.cpp"}, one_case),
                   further));
  EXPECT_EQ(tested.exit_code, 0) << tested.output;
  const CommandResult profiled =
      rkb_in(home, joined({"profile", "--task", "mnist_linear", "--direction", "forward",
                           "--kernel", "kernel.cpp", "--tools", "vectorizer"},
                          further));
  EXPECT_EQ(profiled.exit_code, 0) << profiled.output;
}

TEST_F(Field, AModuleMayGiveItsFunctionAnotherName) {
  const std::string kernel = "modules/other_entry_name.cpp";
  const json refused = evaluated(m_home, {kernel});
  EXPECT_EQ(refused["verdict"], "load_error");
  EXPECT_EQ(refused["entry_point"], "");
  EXPECT_THAT(refused["reason"].get<std::string>(),
              AllOf(HasSubstr("module has no 'forward', but 'linear_cpu'"), HasSubstr("--entry")));
  expect_names_of_the_user(m_output);

  const json passed = evaluated(m_home, {kernel, "--entry", "linear_cpu"});
  EXPECT_EQ(passed["verdict"], "pass") << m_output;
  EXPECT_EQ(passed["entry_point"], "linear_cpu");
  EXPECT_EQ(evaluated(m_home, {kernel, "--entry", "lin"})["verdict"], "load_error");
  const CommandResult malformed =
      rkb_in(m_home, joined({"evaluate", kernel, "--entry", "linear()"}, one_case));
  EXPECT_EQ(malformed.exit_code, 2);
  EXPECT_THAT(malformed.output, HasSubstr("--entry 'linear()' is no name of a function"));
}

TEST_F(Field, AFailureOfAnEntryPointIsReplayedWithIt) {
  write("wrong.cpp",
        "torch::Tensor zeros(torch::Tensor x, torch::Tensor w, torch::Tensor b) {\n"
        "  return torch::zeros({x.size(0), w.size(0)}, x.options());\n}\n");
  const json record = evaluated(m_home, {"wrong.cpp", "--entry", "zeros"});
  EXPECT_EQ(record["verdict"], "wrong_result");
  EXPECT_THAT(record["reason"].get<std::string>(), HasSubstr(" --entry=zeros --case "));
}

TEST_F(Field, AFileWithoutAModuleGetsTheOneOfLoadInline) {
  const json forward = evaluated(m_home, {"modules/no_module.cpp"});
  EXPECT_EQ(forward["verdict"], "pass") << m_output;
  EXPECT_EQ(forward["entry_point"], "");
  const json named = evaluated(m_home, {"modules/no_module.cpp", "--entry", "detail::linear"});
  EXPECT_EQ(named["verdict"], "pass") << m_output;
  EXPECT_EQ(named["entry_point"], "detail::linear");
}

// A file of load_inline's cuda_sources.
TEST_F(Field, ACudaFileWithoutAModuleGetsOne) {
  const json manifest = parse_json(read_text(manifest_of_build()).value_or(""));
  if (manifest["toolchain"]["nvcc"] == "") GTEST_SKIP() << "no nvcc";
  const CommandResult result = rkb_in(m_home, {"compile", "modules/no_module.cu"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(rkb_in(m_home, {"compile", "--quick", "modules/no_module.cu"}).exit_code, 0);
}

TEST_F(Field, ErrorsOfAFileWithoutAModuleAreThoseOfItsOwnLines) {
  write("wrong.cpp", "\ntorch::Tensor forward(torch::Tensor x) {\n  return y;\n}\n");
  const json record = evaluated(m_home, {"wrong.cpp"});
  EXPECT_EQ(record["verdict"], "compile_error");
  EXPECT_THAT(m_output, AllOf(HasSubstr("\n  wrong.cpp:3:10: error: "),
                              Not(HasSubstr("In file included from"))));
  expect_names_of_the_user(m_output);

  write("inner.hpp", "inline int inner() { return z; }\n");
  write("outer.cpp",
        "#include \"inner.hpp\"\ntorch::Tensor forward(torch::Tensor x) { return x; }\n");
  EXPECT_EQ(evaluated(m_home, {"outer.cpp"})["verdict"], "compile_error");
  EXPECT_THAT(m_output, AllOf(HasSubstr("In file included from outer.cpp:1:"),
                              HasSubstr("\n  inner.hpp:1:")));
}

TEST_F(Field, SaysWhatToWriteWhereNoFunctionCanBeChosen) {
  const std::string one = "torch::Tensor forward(torch::Tensor x) { return x; }\n";
  write("two.cpp", one + "torch::Tensor forward(torch::Tensor x, int n) { return x; }\n");
  write("template.cpp", "template <typename T> torch::Tensor forward(T x) { return x; }\n");
  for (const char* file : {"two.cpp", "template.cpp"}) {
    EXPECT_EQ(evaluated(m_home, {file})["verdict"], "compile_error");
    EXPECT_THAT(m_output, AllOf(HasSubstr("is a template, or several functions have that name"),
                                HasSubstr("py::overload_cast")));
    expect_names_of_the_user(m_output);
  }
  write("none.cpp", "torch::Tensor linear(torch::Tensor x) { return x; }\n");
  EXPECT_EQ(evaluated(m_home, {"none.cpp"})["verdict"], "load_error");
  EXPECT_THAT(m_output, HasSubstr("it defines 'linear': give --entry linear (ENTRY in CMake)"));
}

TEST_F(Field, RefusesASourceThatRegistersWithTorchOrPython) {
  EXPECT_EQ(evaluated(m_home, {"modules/torch_library.cpp"})["verdict"], "compile_error");
  EXPECT_THAT(m_output, AllOf(HasSubstr("registers operators with torch (TORCH_LIBRARY)"),
                              HasSubstr("write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)"),
                              HasSubstr("--entry"), Not(HasSubstr("No such file"))));
  write("python.cpp", "#include <Python.h>\nPyMODINIT_FUNC PyInit_kernel() { return nullptr; }\n");
  EXPECT_EQ(evaluated(m_home, {"python.cpp"})["verdict"], "compile_error");
  EXPECT_THAT(m_output, HasSubstr("is a Python module (PyMODINIT_FUNC)"));
}

TEST_F(Field, MessagesNameTheFilesOfTheUser) {
  const std::string module =
      "\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n";
  const std::string kernel =
      "#include <torch/extension.h>\nint far(int);\n"
      "torch::Tensor forward(torch::Tensor x) { far(1); return x; }" +
      module;
  write("one.cpp", kernel);
  write("two.cpp",
        "int far(int n) { return n; }\n#include <torch/extension.h>\n"
        "static torch::Tensor forward(torch::Tensor x) { return x; }" +
            module);
  // Both have a module, which the linker tells.
  EXPECT_EQ(evaluated(m_home, {"one.cpp", "--source", "two.cpp"})["verdict"], "compile_error");
  EXPECT_THAT(m_output, AllOf(HasSubstr("one.cpp"), HasSubstr("two.cpp"),
                              HasSubstr("multiple definition of `PYBIND11_MODULE'")));
  expect_names_of_the_user(m_output);
  // The first one lacks a function, which the audit tells.
  EXPECT_EQ(evaluated(m_home, {"one.cpp"})["verdict"], "load_error");
  EXPECT_THAT(m_output, HasSubstr("far(int)"));
  expect_names_of_the_user(m_output);
  // A file that is given by its whole path is named so.
  write("absolute.cpp", "int x = y;\n" + kernel);
  const std::string whole = m_home / "absolute.cpp";
  EXPECT_EQ(evaluated(m_home, {whole})["verdict"], "compile_error");
  EXPECT_THAT(m_output, HasSubstr("  " + whole + ":1:9: error: "));
}

TEST_F(Field, FilesOfOneNameAreToldApart) {
  for (const char* directory : {"a", "b"}) {
    fs::create_directory(m_home / directory);
    fs::copy_file(m_home / "modules/no_module.cpp", m_home / directory / "kernel.cpp");
  }
  const std::string junit = m_directory.path() / "results.xml";
  const std::string record = m_directory.path() / "record.json";
  const CommandResult result =
      rkb_in(m_home, joined({"evaluate", "--report", "markdown", "--junit", junit, "--json", record,
                             "a/kernel.cpp", "b/kernel.cpp"},
                            one_case));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  const json kernels = parse_json(read_text(record).value_or("")).at("kernels");
  EXPECT_EQ(kernels[0]["name"], "a/kernel");
  EXPECT_EQ(kernels[1]["name"], "b/kernel");
  for (const char* name : {"a/kernel", "b/kernel"}) {
    EXPECT_THAT(result.output, HasSubstr(name));
    EXPECT_THAT(read_text(junit).value_or(""), HasSubstr(name));
  }
}

}  // namespace
}  // namespace robust_kbench
