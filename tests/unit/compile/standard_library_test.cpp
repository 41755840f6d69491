#include "compile/standard_library.hpp"

#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

constexpr const char* all_headers = "robust_kbench/standard_library.h";

// One use of each kind of name that torch/extension.h brings along.
constexpr const char* uses_of_all = R"(
void use() {
  std::map<int, std::multimap<int, int>> a; std::set<int> b; std::unordered_map<int, int> c;
  std::unordered_set<int> d; std::deque<int> e; std::list<int> f; std::forward_list<int> g;
  std::queue<int> h; std::priority_queue<int> i; std::stack<int> j; std::bitset<8> k;
  std::mutex l; std::lock_guard<std::mutex> m(l); static std::once_flag n; std::call_once(n, [] {});
  std::shared_mutex o; std::condition_variable p; std::thread q; std::atomic<int> r{1};
  std::future<int> s = std::async([] { return 1; }); std::this_thread::yield();
  std::function<int()> t = std::bind(std::plus<int>(), 1, 2); std::hash<int> u;
  int v[] = {1, 2}; int w = std::accumulate(v, v + 2, 0); std::iota(v, v + 2, w);
  std::unique_ptr<int> x = std::make_unique<int>(1); std::shared_ptr<int> y;
  auto z = std::chrono::steady_clock::now(); std::complex<float> aa; std::valarray<int> ab;
  std::ostringstream ac; ac << std::setprecision(3) << std::fixed << 1.5; std::ifstream ad;
  std::cout << ac.str() << std::endl; std::string_view ae = "a"; std::variant<int, float> af;
  std::any ag; std::optional<int> ah; std::mt19937 ai; std::normal_distribution<float> aj;
  std::type_index ak = typeid(int); std::back_inserter(e); std::array<int, 2> al{};
  std::tuple<int, int> am; std::vector<int> an; std::sort(v, v + 2); std::numeric_limits<int>::max();
  int largest = INT_MAX + int(FLT_MAX) + int(DBL_EPSILON) + int(M_PI); assert(largest);
  char* ao = std::getenv("a"); std::memcpy(v, v, 4); memset(v, 0, 4); errno = EINVAL;
  usleep(1); pthread_self(); clock_gettime(CLOCK_MONOTONIC, nullptr); std::isalpha('a');
  std::printf("%" PRId64, int64_t{1}); std::signal(SIGTERM, SIG_DFL); std::time(nullptr);
  omp_get_max_threads();
}
)";

TEST(StandardLibrary, AllNamesThatTorchBringsAlongAreThere) {
  const KernelBuilder builder;
  const BuildRecord record = builder.build(identity_kernel(uses_of_all));
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(record.headers, KernelHeaders::shim);
}

TEST(StandardLibrary, OnlyHeadersOfNamesInTheTextAreIncluded) {
  const KernelBuilder builder;
  const BuildRecord record = builder.build(identity_kernel("std::map<int, int> numbers;"));
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(record.flags, Contains("map"));
  EXPECT_THAT(record.flags, Not(Contains(all_headers)));
  const auto named = [&](const std::string& text, Device device = Device::cpu) {
    return named_standard_headers({.device = device, .sources = {builder.write("k.cpp", text)}});
  };
  EXPECT_THAT(named("#include <map>\nstd::map<int, int> numbers;"), IsEmpty());
  EXPECT_THAT(named("int map; my::function f; bool thread();"), IsEmpty());
  EXPECT_THAT(named("__half* p;"), IsEmpty());
  EXPECT_THAT(named("__half* p;", Device::cuda), Contains("cuda_fp16.h"));
}

TEST(StandardLibrary, TheScanNeedNotSeeTheName) {
  const KernelBuilder builder;
  for (const char* text : {"void f() { using namespace std; map<int, function<int()>> numbers; }",
                           "int f() { return getpid() + int(strlen(\"a\")); }",
                           "namespace s = std;\ns::ostringstream* out = new s::ostringstream;"}) {
    const BuildRecord record = builder.build(identity_kernel(text));
    EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
    EXPECT_EQ(record.headers, KernelHeaders::shim);
  }
}

TEST(StandardLibrary, IsNotTriedForAMistake) {
  const KernelBuilder builder;
  for (const char* text : {"std::no_such_thing thing;", "int f() { return no_such_thing; }",
                           "struct S {}; int f(S s) { return s.count; }", "int f() { return 1 }"}) {
    const BuildRecord record = builder.build(identity_kernel(text));
    EXPECT_EQ(record.judgement.verdict, Verdict::compile_error);
    EXPECT_THAT(record.flags, Not(Contains(all_headers))) << text;
  }
}

TEST(StandardLibrary, NvccGetsItToo) {
  const Toolchain toolchain = toolchain_of_build();
  if (toolchain.nvcc.empty()) GTEST_SKIP() << "no nvcc here";
  const KernelBuilder builder;
  const auto built = [&](const std::string& text) {
    const KernelSource kernel{.name = "kernel",
                              .device = Device::cuda,
                              .sources = {builder.write("kernel.cu", identity_kernel(text))}};
    return compile(kernel, toolchain, builder.path("kernel.so"), {.quick = true, .cache = false});
  };
  const BuildRecord named = built(
      "std::map<int, int> numbers; float largest = FLT_MAX;\n"
      "__global__ void f(__half* x) { x[0] = __float2half(1.0f); }");
  EXPECT_EQ(named.judgement.verdict, Verdict::pass) << named.judgement.reason;
  const BuildRecord hidden = built(
      "void f() { using namespace std; map<int, int> numbers; mutex alone; }\n"
      "namespace s = std;\nauto now() { return s::chrono::steady_clock::now(); }");
  EXPECT_EQ(hidden.judgement.verdict, Verdict::pass) << hidden.judgement.reason;
  EXPECT_THAT(hidden.flags, Contains(all_headers));
  EXPECT_EQ(hidden.headers, KernelHeaders::shim);
}

}  // namespace
}  // namespace robust_kbench
