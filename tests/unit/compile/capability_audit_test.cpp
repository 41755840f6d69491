#include "compile/audit/capability_audit.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "compile/audit/gpu_clocks.hpp"
#include "compile/audit/symbol_class.hpp"
#include "compile/audit/telling_texts.hpp"
#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// "clocks clock_gettime kernel.cu:3" of each use.
std::vector<std::string> in_short(const std::vector<CapabilityUse>& uses) {
  std::vector<std::string> texts;
  for (const CapabilityUse& use : uses) {
    const std::string place =
        use.line == 0 ? "" : " " + use.source + ":" + std::to_string(use.line);
    texts.push_back(std::string(to_string(use.capability)) + " " + use.symbol + place);
  }
  return texts;
}

TEST(CapabilityAudit, FindsNothingInAPlainKernel) {
  const BuildRecord record = KernelBuilder().build(
      identity_kernel("#include <cmath>\n#include <cstdio>\n#include <iostream>\n#include <map>\n"
                      "#include <mutex>\n#include <string>\n"
                      "std::map<std::string, float> table;\n"
                      "void print(float x) { std::printf(\"and/or %f\", std::exp(x)); "
                      "std::cout << table[\"a\"] << std::to_string(x); std::fflush(stdout); }\n"));
  EXPECT_TRUE(record.judgement.passes()) << record.judgement.reason;
  EXPECT_THAT(in_short(record.uses), IsEmpty());
}

TEST(CapabilityAudit, NamesEachClassWithItsSymbolAndLine) {
  const BuildRecord record = KernelBuilder().build(identity_kernel(R"(#include <chrono>
#include <cstdlib>
#include <csignal>
#include <dlfcn.h>
#include <fstream>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <x86intrin.h>
void work() {}
long ask() {
  std::thread(work).join();
  long n = std::chrono::steady_clock::now().time_since_epoch().count();
  n += std::getenv("HOME") != nullptr;
  std::ifstream file("/proc/self/maps");
  n += mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != nullptr;
  n += dlsym(nullptr, "cuCtx" "Create") != nullptr;
  std::raise(SIGUSR1);
  n += fork();
  asm volatile("syscall" ::: "memory");
  n += __rdtsc();
  n += std::getenv("RKB_" "MANIFEST") != nullptr;
  return n + getentropy(nullptr, 0);
}
)"));
  EXPECT_TRUE(record.judgement.passes()) << record.judgement.reason;
  const std::vector<std::string> found = in_short(record.uses);
  for (const char* use :
       {"threads std::thread::_M_start_thread kernel.cpp:13",
        "clocks std::chrono::steady_clock::now kernel.cpp:14", "clocks rdtsc kernel.cpp:22",
        "environment getenv kernel.cpp:15",
        "files std::basic_ifstream::basic_ifstream kernel.cpp:16",
        "files /proc/self/maps kernel.cpp:16", "memory-mapping mmap kernel.cpp:17",
        "dynamic-loading dlsym kernel.cpp:18", "driver cuCtxCreate", "signals raise kernel.cpp:19",
        "system-calls fork kernel.cpp:20", "system-calls syscall kernel.cpp:21",
        "harness RKB_MANIFEST", "other getentropy kernel.cpp:24"}) {
    EXPECT_THAT(found, Contains(use));
  }
}

TEST(CapabilityAudit, ReadsInstructionsAndNotTheirBytes) {
  const BuildRecord constants = KernelBuilder().build(
      identity_kernel("long words() { volatile int a = 0x310f050f; volatile int b = 0x340f80cd; "
                      "return a + b; }\n"));
  EXPECT_THAT(in_short(constants.uses), IsEmpty());
  const BuildRecord hidden = KernelBuilder().build(
      identity_kernel("__attribute__((section(\".text\"), used)) const unsigned char code[] = {"
                      "0x0f, 0x05, 0xc3};\nasm(\"rdtscp\\n int $0x80\\n sysenter\");\n"));
  EXPECT_THAT(in_short(hidden.uses),
              ElementsAre("clocks rdtscp kernel.cpp:3", "system-calls int kernel.cpp:3",
                          "system-calls syscall", "system-calls sysenter kernel.cpp:3"));
}

// The kernel's own header is its code as well. A macro's name hides nothing.
TEST(CapabilityAudit, ReadsTheKernelsOwnHeadersAndMacros) {
  const KernelBuilder builder;
  builder.write("own.h",
                "#include <ctime>\n#define NOW cl ## ock\n"
                "#define PASTE(a, b) a ## b\ninline long now() { return PASTE(ti, me)(nullptr); }\n"
                "inline const char* name() { return \"rkb_worker\"; }\n");
  const BuildRecord record =
      builder.build(identity_kernel("#include \"own.h\"\nlong f() { return now() + name()[0]; }\n"
                                    "#ifdef RKB_KERNEL_ABI\n#endif\n"));
  EXPECT_THAT(in_short(record.uses),
              ElementsAre("clocks time", "harness RKB_KERNEL_ABI kernel.cpp:4",
                          "harness rkb_worker own.h:5"));
}

// Torch's headers bring a function that reads the time between events, whether it is called or not.
TEST(CapabilityAudit, CountsTheTimeBetweenEventsWhereTheSourceNamesIt) {
  const KernelBuilder builder;
  const std::string guard = builder.write(
      "guard.cpp",
      "extern \"C\" int cudaEventElapsedTime(float*);\n"
      "int guard(float* ms) asm(\"_ZNK3c104cuda4impl13CUDAGuardImpl11elapsedTimeEPvS3_a\");\n"
      "int guard(float* ms) { return cudaEventElapsedTime(ms); }\n");
  const std::string object = builder.path("guard.o");
  ASSERT_EQ(std::system((RKB_CXX " -c -o " + object + " " + guard).c_str()), 0);
  const auto found = [&](const std::string& source) {
    const OwnSources sources({.sources = {source}}, {}, {}, {});
    return in_short(audited_uses({object}, sources, {}));
  };
  EXPECT_THAT(found(builder.write("kernel.cpp", "int x;\n")), IsEmpty());
  EXPECT_THAT(found(guard), ElementsAre("clocks cudaEventElapsedTime guard.cpp:1"));
}

struct SymbolCase {
  const char* symbol;
  std::optional<Capability> capability;
};

TEST(CapabilityOfSymbol, KnowsWrappersAndOtherSpellings) {
  const SymbolCase cases[] = {
      {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
       Capability::threads},
      {"_ZNSt6thread20hardware_concurrencyEv", std::nullopt},
      {"pthread_create", Capability::threads},
      {"pthread_mutex_lock", std::nullopt},
      {"pthread_kill", Capability::signals},
      {"cudaLaunchHostFunc", Capability::threads},
      {"cudaLaunchKernel", std::nullopt},
      {"cudaEventElapsedTime_v2", Capability::clocks},
      {"cudaEventRecord", std::nullopt},
      {"_ZNSt6chrono3_V212system_clock3nowEv", Capability::clocks},
      {"omp_get_wtime", Capability::clocks},
      {"__secure_getenv", Capability::environment},
      {"__read_chk", Capability::files},
      {"__open64_2", Capability::files},
      {"__isoc99_fscanf", Capability::files},
      {"_ZTTSt14basic_ifstreamIcSt11char_traitsIcEE", Capability::files},
      {"_ZN13robust_kbench5tableE", Capability::harness},
      {"_ZN3rkb5tableE", std::nullopt},
      {"mmap64", Capability::memory_mapping},
      {"memcpy", std::nullopt},
      {"memfd_create", Capability::memory_mapping},
      {"cudaHostAlloc", Capability::memory_mapping},
      {"__libc_dlsym", Capability::dynamic_loading},
      {"nvrtcCompileProgram", Capability::dynamic_loading},
      {"cuLaunchKernel", Capability::driver},
      {"cuTensorMapEncodeTiled", std::nullopt},
      {"cublasSgemm_v2", std::nullopt},
      {"cudaGetDriverEntryPointByVersion", Capability::driver},
      {"__getpid", Capability::system_calls},
      {"_Exit", Capability::system_calls},
      {"__printf_chk", std::nullopt},
      {"fwrite", std::nullopt},
      {"_ZSt4cout", std::nullopt},
      {"_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
       std::nullopt},
      {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", std::nullopt},
      {"_Znwm", std::nullopt},
      {"__expf_finite", std::nullopt},
      {"_ZGVdN8v_expf", std::nullopt},
      {"_ZNSt13random_device9_M_getvalEv", Capability::other},
      {"far_away", Capability::other},
  };
  for (const SymbolCase& one : cases) {
    EXPECT_EQ(capability_of_symbol(one.symbol), one.capability) << one.symbol;
  }
}

TEST(TellingTexts, LeavesTextsOfOrdinaryMessagesAlone) {
  const auto words = [](std::string_view text) {
    std::vector<std::string> found;
    for (const TellingWord& word : telling_words_of_text(text)) found.push_back(word.word);
    return found;
  };
  EXPECT_THAT(words("open /proc/self/task and /dev/shm"),
              ElementsAre("/proc/self/task", "/dev/shm"));
  EXPECT_THAT(words("x/dev y//process home/etc/a size/proc"), IsEmpty());
  EXPECT_THAT(words("librkb_operators.so"), Contains("librkb_operators.so"));
  EXPECT_THAT(words("rkb::Tensor forward(rkb::Tensor) robust_kbench_kernel"), IsEmpty());
  EXPECT_THAT(words("cuModuleLoadData"), ElementsAre("cuModuleLoadData"));
  EXPECT_THAT(words("cuTensorMapEncodeTiled"), IsEmpty());
  EXPECT_THAT(words("cuMemory is short"), IsEmpty());
}

// A barrier of CUDA's reads a clock to wait. Its lines are those of its header.
TEST(GpuClocks, CountsReadsOfTheKernelsOwnLines) {
  const char* const ptx =
      ".loc 1 3 30\nmov.u64 %rd1, %clock64;\n"
      ".loc 4 65 5, function_name $L0, inlined_at 2 370 5\n"
      ".loc 5 41 3, function_name $L1, inlined_at 4 65 5\nmov.u64 %rd6, %globaltimer;\n"
      ".loc 5 41 3, function_name $L2, inlined_at 1 6 30\nmov.u64 %rd7, %globaltimer;\n"
      ".file 1 \"/own.cu\"\n.file 2 \"/cuda/barrier\"\n.file 4 \"/cuda/thread\"\n"
      ".file 5 \"/cuda/chrono\"\n";
  EXPECT_THAT(
      gpu_clocks(ptx, [](const std::string& file) { return file == "/own.cu"; }),
      ElementsAre(GpuClock{"%clock64", "/own.cu", 3}, GpuClock{"%globaltimer", "/own.cu", 6}));
}

TEST(CapabilityAudit, ReadsPtxAsNvccWritesIt) {
  const Toolchain toolchain = toolchain_of_build();
  if (toolchain.nvcc.empty()) GTEST_SKIP() << "no nvcc";
  const KernelBuilder builder;
  const KernelSource kernel{.name = "kernel",
                            .device = Device::cuda,
                            .sources = {builder.write("kernel.cu", R"(#include <torch/extension.h>
#define TIMER "%global" "timer"
__global__ void read(long long* y) {
  y[0] = clock64();
  unsigned long long t;
  asm volatile("mov.u64 %0, %" TIMER ";" : "=l"(t));
  y[1] = static_cast<long long>(t);
}
torch::Tensor forward(torch::Tensor x) {
  read<<<1, 1>>>(nullptr);
  cudaLaunchHostFunc(nullptr, [](void*) {}, nullptr);
  return x;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)")}};
  const BuildRecord record =
      compile(kernel, toolchain, builder.path("kernel.so"), {.cache = false});
  EXPECT_TRUE(record.judgement.passes()) << record.judgement.reason;
  EXPECT_THAT(in_short(record.uses),
              ElementsAre("threads cudaLaunchHostFunc kernel.cu:11", "clocks %clock64 kernel.cu:4",
                          "clocks %globaltimer kernel.cu:6"));
}

}  // namespace
}  // namespace robust_kbench
