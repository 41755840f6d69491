#include "profile/ncu_metrics.hpp"

#include <array>

namespace robust_kbench {
namespace {

constexpr auto sum = Aggregate::sum;
constexpr auto mean = Aggregate::mean;

constexpr std::array metrics{
    NcuMetric{"gpu__time_duration.sum", "duration", "us", 1e-3, sum, "time on the GPU"},
    // The launch.
    NcuMetric{"launch__grid_size", "grid_size", "blocks", 1, mean, "blocks of a launch"},
    NcuMetric{"launch__block_size", "block_size", "threads", 1, mean, "threads of a block"},
    NcuMetric{"launch__registers_per_thread", "registers", "registers/thread", 1, mean,
              "registers of each thread"},
    NcuMetric{"launch__shared_mem_per_block_static", "static_shared_memory", "bytes", 1, mean,
              "shared memory of each block that the source declares"},
    NcuMetric{"launch__shared_mem_per_block_dynamic", "dynamic_shared_memory", "bytes", 1, mean,
              "shared memory of each block that the launch asks for"},
    NcuMetric{"launch__waves_per_multiprocessor", "waves_per_sm", "waves", 1, mean,
              "how often the grid fills all SMs"},
    NcuMetric{"launch__sm_count", "sm_count", "SMs", 1, mean, "SMs of the GPU"},
    // Occupancy.
    NcuMetric{"launch__occupancy_limit_registers", "block_limit_registers", "blocks/SM", 1, mean,
              "blocks for which an SM has registers"},
    NcuMetric{"launch__occupancy_limit_shared_mem", "block_limit_shared_memory", "blocks/SM", 1,
              mean, "blocks for which an SM has shared memory"},
    NcuMetric{"launch__occupancy_limit_warps", "block_limit_warps", "blocks/SM", 1, mean,
              "blocks for which an SM has warps"},
    NcuMetric{"launch__occupancy_limit_blocks", "block_limit_blocks", "blocks/SM", 1, mean,
              "blocks that an SM takes at all"},
    NcuMetric{"sm__maximum_warps_per_active_cycle_pct", "theoretical_occupancy", "%", 1, mean,
              "of an SM's warps, those that the launch allows"},
    NcuMetric{"sm__warps_active.avg.pct_of_peak_sustained_active", "achieved_occupancy", "%", 1,
              mean, "of an SM's warps, those that were active"},
    NcuMetric{"sm__cycles_active.avg", "", "cycles", 1, sum, ""},
    NcuMetric{"sm__cycles_elapsed.avg", "", "cycles", 1, sum, ""},
    // Speed of light.
    NcuMetric{"sm__throughput.avg.pct_of_peak_sustained_elapsed", "sm_throughput", "%", 1, mean,
              "how near the SMs' busiest unit comes to its peak"},
    NcuMetric{"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
              "memory_throughput", "%", 1, mean,
              "how near the busiest part of the memory system comes to its peak"},
    // Memory.
    NcuMetric{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "dram_throughput", "%", 1,
              mean, "how near device memory comes to its peak"},
    NcuMetric{"dram__bytes.sum.per_second", "dram_bandwidth", "GB/s", 1e-9, mean,
              "read from and written to device memory"},
    NcuMetric{"dram__bytes_read.sum", "dram_read", "bytes", 1, sum, "read from device memory"},
    NcuMetric{"dram__bytes_write.sum", "dram_written", "bytes", 1, sum, "written to device memory"},
    NcuMetric{"lts__throughput.avg.pct_of_peak_sustained_elapsed", "l2_throughput", "%", 1, mean,
              "how near the L2 cache comes to its peak"},
    NcuMetric{"lts__t_sector_hit_rate.pct", "l2_hit_rate", "%", 1, mean,
              "of the sectors asked of the L2 cache, those that it had"},
    NcuMetric{"l1tex__throughput.avg.pct_of_peak_sustained_active", "l1_throughput", "%", 1, mean,
              "how near the L1 caches come to their peak"},
    NcuMetric{"l1tex__t_sector_hit_rate.pct", "l1_hit_rate", "%", 1, mean,
              "of the sectors asked of the L1 caches, those that they had"},
    NcuMetric{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "", "sectors", 1, sum, ""},
    NcuMetric{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "", "requests", 1, sum, ""},
    NcuMetric{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "", "sectors", 1, sum, ""},
    NcuMetric{"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "", "requests", 1, sum, ""},
    NcuMetric{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
              "bytes_per_sector_loaded", "bytes", 1, mean,
              "used of each sector of 32 bytes that global loads move"},
    NcuMetric{"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
              "bytes_per_sector_stored", "bytes", 1, mean,
              "used of each sector of 32 bytes that global stores move"},
    NcuMetric{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "", "", 1, sum, ""},
    NcuMetric{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "", "", 1, sum, ""},
    NcuMetric{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "", "", 1, sum, ""},
    NcuMetric{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "", "", 1, sum, ""},
    NcuMetric{"smsp__sass_inst_executed_op_local_ld.sum", "local_loads", "instructions", 1, sum,
              "loads from local memory: spilled registers, and arrays that are indexed"},
    NcuMetric{"smsp__sass_inst_executed_op_local_st.sum", "local_stores", "instructions", 1, sum,
              "stores to local memory: spilled registers, and arrays that are indexed"},
    // Instructions.
    NcuMetric{"smsp__inst_executed.sum", "instructions", "instructions", 1, sum,
              "executed by all warps"},
    NcuMetric{"smsp__issue_active.avg.pct_of_peak_sustained_active", "issue_slots_busy", "%", 1,
              mean, "of the cycles, those in which a scheduler issues an instruction"},
    NcuMetric{"smsp__warps_eligible.avg.per_cycle_active", "eligible_warps", "warps", 1, mean,
              "warps of a scheduler that could issue in a cycle"},
    NcuMetric{"smsp__thread_inst_executed_per_inst_executed.ratio", "active_threads_per_warp",
              "threads", 1, mean, "threads that take part in an instruction, of 32"},
    NcuMetric{"smsp__sass_branch_targets_threads_divergent.sum", "divergent_branches", "branches",
              1, sum, "branches at which the threads of a warp part"},
    NcuMetric{"sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", "fp32_pipe", "%", 1,
              mean, "use of the float32 multiply-add units"},
    NcuMetric{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "tensor_pipe", "%",
              1, mean, "use of the tensor cores"},
    NcuMetric{"sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", "alu_pipe", "%", 1,
              mean, "use of the integer and logic units"},
    NcuMetric{"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active", "xu_pipe", "%", 1, mean,
              "use of the special function units: exp, log, sin, conversions"},
    NcuMetric{"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", "lsu_pipe", "%", 1,
              mean, "use of the load and store units"},
};

constexpr std::array reasons{
    StallReason{"barrier", "for the other warps of the block at a barrier"},
    StallReason{"branch_resolving", "for the target of a branch"},
    StallReason{"dispatch_stall", "for the dispatcher"},
    StallReason{"drain", "at their end, for stores to leave"},
    StallReason{"gmma", "for a warpgroup's matrix product"},
    StallReason{"imc_miss", "for constants that the cache does not hold"},
    StallReason{"lg_throttle", "because too many loads and stores are queued"},
    StallReason{"long_scoreboard", "for global or local memory"},
    StallReason{"math_pipe_throttle", "for an arithmetic unit that others keep busy"},
    StallReason{"membar", "at a memory fence"},
    StallReason{"mio_throttle", "because the queue to shared memory and special functions is full"},
    StallReason{"misc", "for other reasons"},
    StallReason{"no_instruction", "for the instruction cache"},
    StallReason{"short_scoreboard", "for shared memory or a special function"},
    StallReason{"sleeping", "because the kernel told them to sleep"},
    StallReason{"tex_throttle", "because the queue to the texture unit is full"},
    StallReason{"wait", "for the fixed latency of an instruction before"},
    StallReason{"not_selected", "because another warp was chosen"},
};

}  // namespace

std::span<const NcuMetric> ncu_metrics() {
  return metrics;
}

std::span<const StallReason> stall_reasons() {
  return reasons;
}

}  // namespace robust_kbench
