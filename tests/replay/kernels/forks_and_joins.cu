#include "affine.cuh"

torch::Tensor forward(torch::Tensor x) {
  static cudaStream_t streams[2];
  static cudaEvent_t events[3];
  static bool made = false;
  if (!made) {
    for (cudaStream_t& stream : streams) {
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    for (cudaEvent_t& event : events) {
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    made = true;
  }
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  const int half = x.numel() / 2;
  torch::Tensor y = torch::empty_like(x);
  check(cudaEventRecord(events[2], stream));
  for (int i = 0; i < 2; ++i) {
    check(cudaStreamWaitEvent(streams[i], events[2]));
    const int n = i == 0 ? half : x.numel() - half;
    affine(x.data_ptr<float>() + i * half, y.data_ptr<float>() + i * half, n, 2, 0, streams[i]);
    check(cudaEventRecord(events[i], streams[i]));
    check(cudaStreamWaitEvent(stream, events[i]));
  }
  affine(y.data_ptr<float>(), y.data_ptr<float>(), x.numel(), 1, 1, stream);
  return y;
}

MODULE
