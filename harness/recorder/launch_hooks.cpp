#include "recorder/capture.hpp"
#include "recorder/hooks.hpp"
#include "recorder/launch.hpp"
#include "recorder/log.hpp"
#include "recorder/real_driver.hpp"

// Kernel launches. `per_thread` is the variant whose stream 0 is the thread's own.
namespace robust_kbench::recorder {
namespace {

// The launch is read before the driver has it, since its memory is then surely there.
std::optional<RecordedLaunch> read_launch(StreamName stream, const LaunchRequest& request) {
  if (!log().is_on() || is_captured(stream)) return std::nullopt;
  return launch_of(request);
}

void add_launch(StreamName stream, std::optional<RecordedLaunch> launch, int result) {
  if (result == 0 && launch) log().add(stream, std::move(*launch));
}

void make_cooperative(RecordedLaunch& launch) {
  launch.attributes.push_back({driver_types::cooperative, {1, 0, 0, 0}});
}

template <bool per_thread>
int launch_kernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                  void* stream, void** parameters, void** extra) {
  static const auto next = real<decltype(&launch_kernel<per_thread>)>(
      per_thread ? "cuLaunchKernel_ptsz" : "cuLaunchKernel");
  auto launch = read_launch({stream, per_thread}, {function,
                                                   {grid_x, grid_y, grid_z},
                                                   {block_x, block_y, block_z},
                                                   shared_bytes,
                                                   parameters,
                                                   extra});
  const int result = next(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                          stream, parameters, extra);
  add_launch({stream, per_thread}, std::move(launch), result);
  return result;
}

template <bool per_thread>
int launch_cooperative(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                       void* stream, void** parameters) {
  static const auto next = real<decltype(&launch_cooperative<per_thread>)>(
      per_thread ? "cuLaunchCooperativeKernel_ptsz" : "cuLaunchCooperativeKernel");
  auto launch = read_launch({stream, per_thread}, {function,
                                                   {grid_x, grid_y, grid_z},
                                                   {block_x, block_y, block_z},
                                                   shared_bytes,
                                                   parameters,
                                                   nullptr});
  if (launch) make_cooperative(*launch);
  const int result = next(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                          stream, parameters);
  add_launch({stream, per_thread}, std::move(launch), result);
  return result;
}

template <bool per_thread>
int launch_kernel_ex(const driver_types::LaunchConfig* config, void* function, void** parameters,
                     void** extra) {
  static const auto next = real<decltype(&launch_kernel_ex<per_thread>)>(
      per_thread ? "cuLaunchKernelEx_ptsz" : "cuLaunchKernelEx");
  const StreamName stream{config->stream, per_thread};
  auto launch = read_launch(
      stream, {function, config->grid, config->block, config->shared_bytes, parameters, extra});
  for (std::uint32_t i = 0; launch && i < config->attribute_count; ++i) {
    add_attribute(*launch, config->attributes[i]);
  }
  const int result = next(config, function, parameters, extra);
  add_launch(stream, std::move(launch), result);
  return result;
}

}  // namespace

std::vector<Hook> launch_hooks() {
  return {hook("cuLaunchKernel", &launch_kernel<false>),
          hook("cuLaunchKernel_ptsz", &launch_kernel<true>),
          hook("cuLaunchCooperativeKernel", &launch_cooperative<false>),
          hook("cuLaunchCooperativeKernel_ptsz", &launch_cooperative<true>),
          hook("cuLaunchKernelEx", &launch_kernel_ex<false>),
          hook("cuLaunchKernelEx_ptsz", &launch_kernel_ex<true>)};
}

}  // namespace robust_kbench::recorder
