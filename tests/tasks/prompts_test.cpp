// What language models are told of every entry that this repository ships.

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "compile/compile.hpp"
#include "core/output_file.hpp"
#include "core/text_file.hpp"
#include "entries.hpp"
#include "process/temporary_directory.hpp"
#include "prompt/kernel_answer.hpp"
#include "prompt/prompt_data.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

class Prompts : public testing::TestWithParam<TaskEntry> {
 protected:
  [[nodiscard]] const Task& task() const { return GetParam().task; }
  [[nodiscard]] Direction direction() const { return GetParam().direction; }

  // The data of the first proposal.
  [[nodiscard]] json proposal(Device device) const {
    const PromptSubject subject =
        prompt_subject(m_manifest, task(), direction(), device,
                       GetParam().configs(ConfigSet::small), {"a machine"}, {});
    const Candidate parent{.id = 1, .name = "plain", .text = "int parent;\n"};
    const ProposalRequest request{.parent = parent, .context = {}};
    return proposal_data(
        subject,
        {.request = request, .example = starting_source(m_manifest, task(), direction(), device)});
  }

  const Manifest m_manifest = load_manifest(RKB_MANIFEST);
  const TemporaryDirectory m_directory{"prompts"};
};

TEST_P(Prompts, NameEveryArgumentAsTheReferenceDoes) {
  const json contract = proposal(Device::cpu)["contract"];
  const std::vector<std::string> names =
      python_parameters(contract["reference"].get<std::string>(), to_string(direction()));
  ASSERT_EQ(contract["arguments"].size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const json& argument = contract["arguments"][i];
    EXPECT_EQ(argument["name"], names[i]);
    EXPECT_NE(argument["about"], "") << names[i];
  }
}

TEST_P(Prompts, ShowTheShapesOfEachConfig) {
  const json contract = proposal(Device::cpu)["contract"];
  EXPECT_FALSE(contract["configs"].empty());
  for (const json& config : contract["configs"]) EXPECT_FALSE(config["tensors"].empty()) << config;
  EXPECT_FALSE(contract["sizes"].empty());
}

TEST_P(Prompts, NameTheConfigsOnWhichAGpuIsTested) {
  const json tested = proposal(Device::cuda)["contract"]["tested"];
  EXPECT_FALSE(tested.empty());
  for (const json& name : tested) EXPECT_THAT(name.get<std::string>(), StartsWith("multi/"));
  EXPECT_TRUE(proposal(Device::cpu)["contract"]["tested"].empty());
}

// The first group of each match.
std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.insert((*at)[1].str());
  }
  return found;
}

// A method of a class in Python, from its parameters on. Its lines are simple statements.
struct Method {
  std::string text;

  [[nodiscard]] std::set<std::string> names() const {
    return matches(text, R"((?:^|[^\w.])([A-Za-z_]\w*))");
  }
  [[nodiscard]] std::set<std::string> bound() const {
    const std::size_t parameters = text.find(')');
    std::set<std::string> all = Method{text.substr(0, parameters)}.names();
    std::istringstream lines(text.substr(parameters));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t assigned = line.find(" = ");
      if (assigned != std::string::npos) all.merge(Method{line.substr(0, assigned)}.names());
    }
    return all;
  }
  [[nodiscard]] std::set<std::string> kept() const { return matches(text, R"(ctx\.(\w+) = )"); }
  [[nodiscard]] std::set<std::string> read() const { return matches(text, R"(ctx\.(\w+)[,)])"); }
};

TEST_P(Prompts, ShowABackwardAsAnAutogradFunctionWhoseNamesAreAllDefined) {
  const json function = proposal(Device::cpu)["contract"]["autograd_function"];
  if (direction() == Direction::forward) {
    EXPECT_TRUE(function.is_null());
    return;
  }
  const auto text = function.get<std::string>();
  EXPECT_THAT(text, HasSubstr("kernel.backward("));
  const std::size_t at = text.find("def backward");
  ASSERT_NE(at, std::string::npos);
  const std::string decorator = "    @staticmethod\n";
  const std::size_t first = text.find('(', text.find("def forward"));
  const Method forward{text.substr(first, text.rfind(decorator, at) - first)};
  const Method backward{text.substr(text.find('(', at))};
  for (const Method& method : {forward, backward}) {
    std::set<std::string> defined = method.bound();
    // The reference's function, the module that is asked for, and what Python knows.
    defined.insert({"forward", "kernel", "return", "None"});
    EXPECT_THAT(method.names(), testing::Each(testing::AnyOfArray(defined))) << text;
  }
  EXPECT_FALSE(backward.names().contains("forward")) << text;
  EXPECT_THAT(backward.read(), testing::IsSubsetOf(forward.kept())) << text;
}

TEST_P(Prompts, HaveAnExampleThatIsNotRefused) {
  const std::string code = proposal(Device::cpu)["example"]["code"];
  KernelSource kernel{.entry = {task().name, direction()},
                      .name = "example",
                      .sources = {m_directory.path() / "example.cpp"},
                      .options = {"-O0"},
                      .headers = KernelHeaders::shim};
  OutputFile(kernel.sources.front()).write(code);
  const BuildRecord build =
      compile(kernel, m_manifest.toolchain, m_directory.path() / "example.so");
  EXPECT_EQ(build.judgement.verdict, Verdict::pass) << build.judgement.reason;
  EXPECT_EQ(capability_refusal(build.uses, refused_by_default(Device::cpu)), "");
}

// Whether this one compiles is a test of the plain kernels.
TEST_P(Prompts, HaveThePlainKernelAsExampleForAGpu) {
  const auto plain = m_manifest.plain_kernel({task().name, direction()}, Device::cuda);
  ASSERT_TRUE(plain);
  EXPECT_EQ(proposal(Device::cuda)["example"]["code"], read_text(plain->sources.front()));
}

TEST_P(Prompts, HaveAnExampleInTheFormOfAnAnswer) {
  const json example = proposal(Device::cuda)["example"];
  const std::string answer = fmt::format(
      "<name>\n{}\n</name>\n<description>\n{}\n</description>\n<strategy>\n{}\n"
      "</strategy>\n<cuda>\n{}</cuda>\n",
      example["name"].get<std::string>(), example["description"].get<std::string>(),
      example["strategy"].get<std::string>(), example["code"].get<std::string>());
  const ParsedKernelAnswer parsed = parse_kernel_answer(answer, Device::cuda, "mark");
  ASSERT_TRUE(parsed.kernel) << parsed.reason;
  EXPECT_EQ(parsed.kernel->code, example["code"].get<std::string>());
}

// What parts/rules.jinja2 says that the header has.
constexpr const char* promised = R"cpp(
#include <torch/extension.h>

  std::vector<torch::Tensor> forward(torch::Tensor x, c10::optional<torch::Tensor> bias,
                                     py::tuple saved) {
    TORCH_CHECK(x.dim() == 2 && x.is_contiguous() && x.scalar_type() == torch::kFloat32, "x");
    torch::Tensor y = torch::empty({x.size(0), x.stride(0)}, x.options());
    torch::Tensor z = torch::zeros_like(torch::empty_like(x).contiguous()).view({-1}).reshape({-1});
    z = torch::full({x.numel()}, 1.0, x.options()) + torch::ones(x.sizes(), x.options());
    z.zero_().fill_(2.0);
    z = torch::zeros({2, 2}, x.options()).clone().to(x.device());
    auto by_index = x.accessor<float, 2>();
    auto packed = x.packed_accessor32<float, 2>();
    const float* data = x.data_ptr<float>();
    torch::Tensor later;
    if (later.defined() || x.size(-1) == 0) AT_ERROR("no columns", x.is_cuda());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "forward", [&] { (void)x.data_ptr<scalar_t>(); });
    (void)saved[0].cast<torch::Tensor>(), (void)bias, (void)by_index, (void)packed, (void)data;
    y = at::linear(x, y);
    y = at::conv2d(y, y);
    y = at::layer_norm(y, {1});
    return {at::matmul(x, y) * 2, z};
  }

  PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward);
  }
)cpp";

constexpr const char* promised_for_cpus = R"cpp(
#include <ATen/Parallel.h>
#include <immintrin.h>
#include <omp.h>

  int threads() {
    (void)omp_get_max_threads();
    at::parallel_for(0, 4, 1, [](int64_t, int64_t) {});
    return at::get_num_threads();
  }
)cpp";

constexpr const char* promised_for_gpus = R"cpp(
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <mma.h>

  __global__ void nothing() {}

  void launch(torch::Tensor x) {
    const c10::cuda::CUDAGuard guard(x.device());
    nothing<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>();
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
)cpp";

class Promised : public testing::TestWithParam<Device> {};

TEST_P(Promised, NamesAreInTheHeader) {
  const bool gpu = GetParam() == Device::cuda;
  const Toolchain toolchain = load_manifest(RKB_MANIFEST).toolchain;
  if (gpu && toolchain.nvcc.empty()) GTEST_SKIP() << "there is no nvcc";
  const TemporaryDirectory directory("promised");
  KernelSource kernel{.name = "promised",
                      .device = GetParam(),
                      .sources = {directory.path() / (gpu ? "promised.cu" : "promised.cpp")},
                      .headers = KernelHeaders::shim};
  OutputFile(kernel.sources.front())
      .write(promised + std::string(gpu ? promised_for_gpus : promised_for_cpus));
  const BuildRecord build =
      compile(kernel, toolchain, directory.path() / "promised.so", {.quick = true});
  EXPECT_EQ(build.judgement.verdict, Verdict::pass) << build.judgement.reason;
}

INSTANTIATE_TEST_SUITE_P(Devices, Promised, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& info) { return std::string(to_string(info.param)); });

std::string test_name_of(const testing::TestParamInfo<TaskEntry>& info) {
  std::string name = info.param.name();
  std::ranges::replace(name, '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Entries, Prompts, testing::ValuesIn(task_entries()), test_name_of);

}  // namespace
}  // namespace robust_kbench
