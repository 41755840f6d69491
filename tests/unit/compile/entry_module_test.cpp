#include "compile/entry_module.hpp"

#include <dlfcn.h>

#include "compile/given_names.hpp"
#include "compile/link_audit.hpp"
#include "core/text_file.hpp"
#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string identity = "at::Tensor forward(at::Tensor x) { return x; }\n";

BuildRecord build(const std::string& text) {
  return KernelBuilder().build(text);
}

TEST(EntryModule, IsMadeForAFunctionOfAFileWithoutOne) {
  for (const std::string& text :
       {identity, "static " + identity, "namespace {\n" + identity + "}"}) {
    const BuildRecord record = build(text);
    EXPECT_EQ(record.judgement.verdict, Verdict::pass) << text << record.judgement.reason;
  }
}

TEST(EntryModule, IsNotMadeWhereThereIsOne) {
  EXPECT_TRUE(build(identity_kernel("#define OWN PYBIND11_MODULE")).judgement.passes());
  const KernelBuilder builder;
  builder.write("module.hpp",
                "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"f\", &forward); }");
  const BuildRecord record =
      builder.build("#include <torch/extension.h>\n" + identity + "#include \"module.hpp\"");
  EXPECT_TRUE(record.judgement.passes()) << record.judgement.reason;
}

TEST(EntryModule, ErrorsAreThoseOfTheLinesOfTheFile) {
  const KernelBuilder builder;
  builder.write("inner.hpp", "\nint inner() { return nowhere; }\n");
  const BuildRecord record =
      builder.build("\n#include \"inner.hpp\"\n" + identity + "int last() { return missing; }");
  ASSERT_EQ(record.judgement.verdict, Verdict::compile_error);
  const std::string file = builder.path("kernel.cpp");
  EXPECT_THAT(record.judgement.reason,
              AllOf(HasSubstr("In file included from " + file + ":2:\n"),
                    HasSubstr(builder.path("inner.hpp").string() + ":2:"), HasSubstr(file + ":4:"),
                    Not(HasSubstr("module_of_")), Not(HasSubstr("<the module"))));
}

TEST(EntryModule, IsNamedByTheSourceThatItStandsFor) {
  KernelSource kernel;
  kernel.sources = {"/k/other.cu", "/k/mine.cpp"};
  const std::string made = made_file_name(kernel.sources[1], 1);
  EXPECT_EQ(with_sources_of_modules("forward() at " + made + ":3", kernel),
            "forward() at mine.cpp:3");
}

TEST(EntryModule, SaysThatOverloadsAndTemplatesHaveNoAddress) {
  for (const std::string& text :
       {identity + "at::Tensor forward(at::Tensor x, int n) { return x; }\n",
        std::string("template <typename T> at::Tensor forward(T x) { return x; }\n")}) {
    const BuildRecord record = build(text);
    EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
    EXPECT_THAT(record.judgement.reason,
                AllOf(HasSubstr("several functions have that name"),
                      HasSubstr("m.def(\"forward\", py::overload_cast<torch::Tensor>(&forward))"),
                      Not(HasSubstr("module_of_"))));
  }
}

TEST(EntryModule, NamesWhatCouldBeCalled) {
  const BuildRecord record = build("at::Tensor linear(at::Tensor x) { return x; }\n");
  EXPECT_EQ(record.judgement.verdict, Verdict::load_error);
  EXPECT_THAT(record.judgement.reason,
              AllOf(HasSubstr("no function 'forward'"), HasSubstr("it defines 'linear'"),
                    HasSubstr("--entry linear (ENTRY in CMake)"),
                    HasSubstr("m.def(\"forward\", &linear);")));
}

TEST(EntryModule, IsOfTheNamedFunctionAndTheSourceThatDefinesIt) {
  const KernelBuilder builder;
  const KernelSource kernel{
      .name = "kernel",
      .sources = {builder.write("declares.cpp", "at::Tensor linear(at::Tensor x);"),
                  builder.write("my kernel.cpp",
                                "namespace detail {\nstatic at::Tensor linear(at::Tensor x) { "
                                "return x; }\n}\n")},
      .entry_point = "detail::linear"};
  const KernelModule module(kernel);
  ASSERT_TRUE(module.made());
  EXPECT_EQ(module.made()->source, 1);
  const std::string library = builder.path("kernel.so");
  const std::string depfile = builder.path("kernel.d");
  const BuildRecord record =
      compile(kernel, toolchain_of_build(), library, {.depfile = depfile, .cache = false});
  EXPECT_TRUE(record.judgement.passes()) << record.judgement.reason;
  EXPECT_TRUE(exports_module(library));
  EXPECT_THAT(read_text(depfile).value_or(""),
              AllOf(HasSubstr("my\\ kernel.cpp"), Not(HasSubstr("module_of_"))));
}

TEST(EntryModule, RegistrationsOfTorchAndPythonAreRefused) {
  const BuildRecord torch = build("#include <torch/library.h>\n" + identity +
                                  "TORCH_LIBRARY(ops, m) { m.def(\"forward\", &forward); }");
  EXPECT_EQ(torch.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(torch.judgement.reason,
              AllOf(HasSubstr("registers operators with torch (TORCH_LIBRARY)"),
                    HasSubstr("write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)"),
                    Not(HasSubstr("No such file"))));
  EXPECT_THAT(build("#include <Python.h>\n" + identity).judgement.reason,
              HasSubstr("is a Python module (Python.h)"));
  // A module may stand beside this include, so the compiler decides.
  EXPECT_THAT(build("#include <Python.h>\n" + identity_kernel()).judgement.reason,
              AllOf(HasSubstr("Python.h: No such file"), HasSubstr("no Python is in the process")));
}

TEST(EntryModule, TheLinkersWordsNameSources) {
  const KernelBuilder builder;
  const KernelSource kernel{
      .name = "kernel",
      .sources = {builder.write("one.cpp", identity_kernel()),
                  builder.write("two.cpp", identity_kernel("#define forward other_forward\n"))},
      .named_in = builder.path("").parent_path().string()};
  const BuildRecord record =
      compile(kernel, toolchain_of_build(), builder.path("kernel.so"), {.cache = false});
  EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
  EXPECT_THAT(
      record.judgement.reason,
      AllOf(HasSubstr(" two.cpp: in function"), HasSubstr("definition of `PYBIND11_MODULE'"),
            Not(HasSubstr("rkb_kernel_module")), Not(HasSubstr("source_")),
            Not(HasSubstr(builder.path("").string()))));
}

}  // namespace
}  // namespace robust_kbench
