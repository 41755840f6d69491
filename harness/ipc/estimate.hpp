#pragma once

#include <array>
#include <string>
#include <string_view>

namespace robust_kbench {

// The result of one of the usual ways to time a call on a GPU. These run in the subject's own
// process, repeat one call with the same inputs, and trust its clocks. They are for comparison
// only, and decide nothing.
struct Estimate {
  double time_us = 0;  // of one call; 0: there is none, see `note`
  int calls = 0;       // calls that it was made of
  std::string note;    // a remark for readers
};

// The usual ways to time a call:
//
//   hot        The median of what robust measures, except that the L2 cache is warm
//              (runner/warm_estimate.hpp).
//   latency    The median time from the call until the host learns of its end, by the host's clock.
//   events     The mean of 2000 calls after 25 unmeasured ones. Each has a pair of events around it
//              and a wait for the GPU after it (robust-kbench, KernelBench).
//   do_bench   The median over as many calls as take 100 ms, with events around each and no wait.
//              A memset of 256 MB precedes each call (triton.testing.do_bench).
//   autorange  The median over blocks of calls that take 0.2 s in all, by the host's clock.
//              The host does not wait within a block (torch.utils.benchmark).
//   cupti      The median summed time of kernels and copies that CUPTI records.
//              The L2 cache is cold.
//   graph      The mean of repeated launches of the call captured as a CUDA graph.
inline constexpr std::array<std::string_view, 7> estimator_names{
    "hot", "latency", "events", "do_bench", "autorange", "cupti", "graph"};

}  // namespace robust_kbench
