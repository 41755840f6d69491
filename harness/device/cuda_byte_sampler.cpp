#include "device/cuda_byte_sampler.hpp"

#include <array>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t max_seen = 4096;

// The kernel runs in one block, whose last thread samples the byte at `last`.
constexpr const char* source = R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry look(.param .u64 first, .param .u64 stride, .param .u64 last, .param .u64 seen)
{
  .reg .pred %is_last;
  .reg .b32 %thread, %threads, %byte;
  .reg .b64 %at, %step, %end, %to, %wide;
  ld.param.u64 %at, [first];
  ld.param.u64 %step, [stride];
  ld.param.u64 %end, [last];
  ld.param.u64 %to, [seen];
  cvta.to.global.u64 %at, %at;
  cvta.to.global.u64 %end, %end;
  cvta.to.global.u64 %to, %to;
  mov.u32 %thread, %tid.x;
  mov.u32 %threads, %ntid.x;
  cvt.u64.u32 %wide, %thread;
  mad.lo.u64 %at, %wide, %step, %at;
  add.u64 %to, %to, %wide;
  sub.u32 %threads, %threads, 1;
  setp.eq.u32 %is_last, %thread, %threads;
  @%is_last mov.u64 %at, %end;
  ld.volatile.global.u8 %byte, [%at];
  st.global.u8 [%to], %byte;
  ret;
}
)";

}  // namespace

CudaByteSampler::CudaByteSampler() {
  const CudaDriver& driver = cuda_driver();
  void* module = nullptr;
  driver.check(driver.load_module(&module, source), "cuModuleLoadData");
  driver.check(driver.get_function(&m_sampler, module, "look"), "cuModuleGetFunction");
  driver.check(driver.allocate(&m_seen, max_seen), "cuMemAlloc");
}

CudaByteSampler::~CudaByteSampler() {
  // An error here means that a kernel broke the context, and then there is nothing left to free.
  cuda_driver().free(m_seen);
}

void CudaByteSampler::at(const std::byte* first, std::size_t stride, std::size_t count,
                         const std::byte* last, void* stream) {
  if (m_count + count + 1 > max_seen) throw HarnessError("a look at too many bytes");
  const CudaDriver& driver = cuda_driver();
  CudaDriver::Address from = CudaDriver::address_of(first);
  CudaDriver::Address end = CudaDriver::address_of(last);
  CudaDriver::Address to = m_seen + m_count;
  std::array<void*, 4> parameters{&from, &stride, &end, &to};
  driver.check(driver.launch(m_sampler, 1, 1, 1, static_cast<unsigned>(count + 1), 1, 1, 0, stream,
                             parameters.data(), nullptr),
               "cuLaunchKernel");
  m_count += count + 1;
}

std::vector<std::byte> CudaByteSampler::seen() const {
  std::vector<std::byte> seen(m_count);
  if (m_count == 0) return seen;
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.copy(CudaDriver::address_of(seen.data()), m_seen, seen.size()), "cuMemcpy");
  return seen;
}

}  // namespace robust_kbench
