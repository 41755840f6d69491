#include "device/cuda_sweep.hpp"

#include <array>

#include "device/gpu_facts.hpp"

namespace robust_kbench {
namespace {

constexpr int persisting_l2_limit = 6;  // CU_LIMIT_PERSISTING_L2_CACHE_SIZE of cuda.h

// Twice the cache's size is read, since the cache hashes addresses and replaces lines by
// undocumented rules.
constexpr std::size_t sweeps_of_cache = 2;
constexpr std::size_t vector_bytes = 16;
constexpr unsigned sweep_threads = 256;
constexpr unsigned blocks_per_multiprocessor = 8;
constexpr std::size_t page_bytes = std::size_t{2} << 20;

// The first kernel sums 16-byte vectors by exclusive or. The memory holds zeros, and only a sum
// that zeros never have would be written. No compiler can know this, so the reads stay.
constexpr const char* sweep_source = R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry empty()
{
  ret;
}
.visible .entry sweep(.param .u64 memory, .param .u64 vectors, .param .u64 least_ns)
{
  .reg .pred %done, %found, %early;
  .reg .b32 %block, %blocks, %threads, %thread, %a, %b, %c, %d, %sum;
  .reg .b64 %base, %count, %index, %step, %at, %wide, %begin, %least, %now;
  mov.u64 %begin, %globaltimer;
  ld.param.u64 %least, [least_ns];
  ld.param.u64 %base, [memory];
  ld.param.u64 %count, [vectors];
  cvta.to.global.u64 %base, %base;
  mov.u32 %block, %ctaid.x;
  mov.u32 %blocks, %nctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mul.wide.u32 %index, %block, %threads;
  cvt.u64.u32 %wide, %thread;
  add.u64 %index, %index, %wide;
  mul.wide.u32 %step, %blocks, %threads;
  mov.u32 %sum, 0;
next:
  setp.ge.u64 %done, %index, %count;
  @%done bra end;
  shl.b64 %at, %index, 4;
  add.u64 %at, %base, %at;
  ld.global.v4.u32 {%a, %b, %c, %d}, [%at];
  xor.b32 %a, %a, %b;
  xor.b32 %c, %c, %d;
  xor.b32 %a, %a, %c;
  xor.b32 %sum, %sum, %a;
  add.u64 %index, %index, %step;
  bra next;
end:
  setp.eq.u32 %found, %sum, 0x9e3779b9;
  @%found st.global.u32 [%base], %sum;
wait:
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %begin;
  setp.lt.u64 %early, %now, %least;
  @%early bra wait;
  ret;
}
.visible .entry touch(.param .u64 memory, .param .u64 pages)
{
  .reg .pred %done;
  .reg .b32 %threads, %thread, %word;
  .reg .b64 %base, %count, %index, %step, %at;
  ld.param.u64 %base, [memory];
  ld.param.u64 %count, [pages];
  cvta.to.global.u64 %base, %base;
  mov.u32 %thread, %tid.x;
  mov.u32 %threads, %ntid.x;
  cvt.u64.u32 %index, %thread;
  cvt.u64.u32 %step, %threads;
next:
  setp.ge.u64 %done, %index, %count;
  @%done bra end;
  shl.b64 %at, %index, 21;
  add.u64 %at, %base, %at;
  ld.volatile.global.u32 %word, [%at];
  add.u64 %index, %index, %step;
  bra next;
end:
  ret;
}
)";

void launch(void* kernel, unsigned blocks, void** parameters, void* stream) {
  const CudaDriver& driver = cuda_driver();
  driver.check(
      driver.launch(kernel, blocks, 1, 1, sweep_threads, 1, 1, 0, stream, parameters, nullptr),
      "cuLaunchKernel");
}

}  // namespace

CudaSweep::CudaSweep(std::chrono::nanoseconds least)
    : m_least_ns(static_cast<std::uint64_t>(least.count())) {
  const CudaDriver& driver = cuda_driver();
  const std::size_t bytes = sweeps_of_cache * gpu_facts().l2_bytes;
  m_vectors = bytes / vector_bytes;
  m_multiprocessors = static_cast<unsigned>(gpu_facts().multiprocessors);
  void* module = nullptr;
  driver.check(driver.load_module(&module, sweep_source), "cuModuleLoadData");
  driver.check(driver.get_function(&m_sweep, module, "sweep"), "cuModuleGetFunction");
  driver.check(driver.get_function(&m_touch, module, "touch"), "cuModuleGetFunction");
  driver.check(driver.get_function(&m_empty, module, "empty"), "cuModuleGetFunction");
  driver.check(driver.allocate(&m_memory, bytes), "cuMemAlloc");
  driver.check(driver.set_bytes_async(m_memory, 0, bytes, nullptr), "cuMemsetD8Async");
}

CudaSweep::~CudaSweep() {
  // An error here means that a kernel broke the context, and then there is nothing left to free.
  cuda_driver().free(m_memory);
}

void CudaSweep::run(void* stream) const {
  const CudaDriver& driver = cuda_driver();
  std::size_t persisting = 0;
  driver.check(driver.get_limit(&persisting, persisting_l2_limit), "cuCtxGetLimit");
  if (persisting != 0) {
    driver.check(driver.reset_persisting_l2(), "cuCtxResetPersistingL2Cache");
  }
  CudaDriver::Address memory = m_memory;
  std::size_t vectors = m_vectors;
  std::uint64_t least_ns = m_least_ns;
  std::array<void*, 3> parameters{&memory, &vectors, &least_ns};
  launch(m_sweep, m_multiprocessors * blocks_per_multiprocessor, parameters.data(), stream);
}

void CudaSweep::touch(const std::byte* memory, std::size_t bytes, void* stream) const {
  CudaDriver::Address address = CudaDriver::address_of(memory);
  std::size_t pages = (bytes + page_bytes - 1) / page_bytes;
  std::array<void*, 2> parameters{&address, &pages};
  launch(m_touch, m_multiprocessors, parameters.data(), stream);
}

void CudaSweep::launch_empty_kernel(void* stream) const {
  launch(m_empty, 1, nullptr, stream);
}

void CudaSweep::launch_empty_fill(void* stream) const {
  cuda_driver().check(cuda_driver().set_words_async(m_memory, 0, 1, stream), "cuMemsetD32Async");
}

}  // namespace robust_kbench
