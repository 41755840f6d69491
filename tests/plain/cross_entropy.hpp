#pragma once

#include <cmath>

#include <torch/extension.h>

// Mean cross entropy, right but for what a kernel gives.

inline float maximum_of(const float* row, int64_t classes) {
  float greatest = row[0];
  for (int64_t j = 1; j < classes; ++j) greatest = row[j] > greatest ? row[j] : greatest;
  return greatest;
}

// loss_of(row, classes, target) gives the loss of one prediction.
template <class LossOf>
torch::Tensor cross_entropy(const torch::Tensor& predictions, const torch::Tensor& targets,
                            const LossOf& loss_of) {
  const int64_t batch = predictions.size(0);
  const int64_t classes = predictions.size(1);
  double sum = 0;
  for (int64_t i = 0; i < batch; ++i) {
    sum += loss_of(predictions.data_ptr<float>() + i * classes, classes,
                   targets.data_ptr<int64_t>()[i]);
  }
  torch::Tensor loss = torch::empty({}, predictions.options());
  *loss.data_ptr<float>() = static_cast<float>(sum / batch);
  return loss;
}

// write_probabilities(row, classes, to) writes the softmax of one prediction.
template <class WriteProbabilities>
torch::Tensor cross_entropy_backward(const torch::Tensor& grad_output,
                                     const torch::Tensor& predictions, const torch::Tensor& targets,
                                     const WriteProbabilities& write_probabilities) {
  const int64_t batch = predictions.size(0);
  const int64_t classes = predictions.size(1);
  const float scale = *grad_output.data_ptr<float>() / static_cast<float>(batch);
  torch::Tensor dx = torch::empty_like(predictions);
  for (int64_t i = 0; i < batch; ++i) {
    float* to = dx.data_ptr<float>() + i * classes;
    write_probabilities(predictions.data_ptr<float>() + i * classes, classes, to);
    to[targets.data_ptr<int64_t>()[i]] -= 1.0f;
    for (int64_t j = 0; j < classes; ++j) to[j] *= scale;
  }
  return dx;
}
