#pragma once

#include <array>
#include <string>
#include <string_view>

namespace robust_kbench {

// What one of the usual ways to time a call on a GPU says of it. They run in the subject's own
// process, repeat one call on one content, and believe what they see: to compare with, not to
// judge by.
struct Estimate {
  double time_us = 0;  // of one call; 0: there is none, see `note`
  int calls = 0;       // that it was made of
  std::string note;    // what a reader should know
};

//   hot        what robust measures, but for its cold L2 cache: the median
//              (runner/warm_estimate.hpp)
//   latency    from the call until the host knows of its end, by the host's clock: the median
//   events     25 calls unmeasured, then 2000 between a pair of events each and a wait for the GPU
//              after each: the mean (robust-kbench, KernelBench)
//   do_bench   a memset of 256 MB before each call, events around it, no wait: the median of as
//              many as take 100 ms (triton.testing.do_bench)
//   autorange  blocks of calls without a wait, by the host's clock: the median of as many as take
//              0.2 s (torch.utils.benchmark)
//   cupti      kernels and copies as CUPTI records them, added up, with a cold L2 cache: the median
//   graph      the call captured as a CUDA graph and launched again and again: the mean
inline constexpr std::array<std::string_view, 7> estimator_names{
    "hot", "latency", "events", "do_bench", "autorange", "cupti", "graph"};

}  // namespace robust_kbench
