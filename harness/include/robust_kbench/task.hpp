#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <robust_kbench/params.hpp>
#include <robust_kbench/tensor_operators.hpp>

#include <ATen/core/Tensor.h>

// What a task author writes: one function per task that returns a Task. docs/tasks.md shows a whole one.
namespace robust_kbench {

// How the elements of a tensor are drawn, each from a counter-based generator keyed by task, tensor
// and seed.
struct Distribution {
  enum class Kind { normal, uniform, constant, integers, zero };
  Kind kind = Kind::normal;
  double a = 0.0;  // mean | low (inclusive) | value | low (inclusive)
  double b = 1.0;  // standard deviation | high (exclusive) | unused | high (exclusive)
};

Distribution normal(double mean = 0.0, double stddev = 1.0);
Distribution uniform(double low, double high);
Distribution constant(double value);
Distribution integers(std::int64_t low, std::int64_t high);  // int64 tensor

// torch.nn.init's methods for a weight of shape (out, in, ...): kaiming_uniform with a = sqrt(5),
// the default of torch.nn.Linear and torch.nn.Conv2d, and xavier_normal with gain 1.
Distribution kaiming_uniform(const std::vector<std::int64_t>& weight_shape);
Distribution xavier_normal(const std::vector<std::int64_t>& weight_shape);

// One of the above by the name that robust-kbench's configs give it: kaiming, xavier, or normal
// (mean 0, standard deviation 1). Throws UserError for any other.
Distribution initialization(const std::string& init_method,
                            const std::vector<std::int64_t>& weight_shape);

// One tensor of a task. float32 unless the distribution is `integers`, then int64. Each size is at
// least 1, and there are 2^40 elements at most.
struct TensorSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  Distribution distribution = {};
  bool present = true;  // false: an optional tensor that this config does not have, passed as None
};

// Stands for an optional tensor that a config does not have.
TensorSpec absent(std::string name);

// The tensors of one call by name. An absent optional tensor is undefined.
class Tensors {
 public:
  // Throws UserError naming the known tensors when `name` is none of them.
  [[nodiscard]] const at::Tensor& operator[](const std::string& name) const;
  void set(const std::string& name, at::Tensor tensor) { m_tensors[name] = std::move(tensor); }
  [[nodiscard]] const std::map<std::string, at::Tensor>& all() const { return m_tensors; }

 private:
  std::map<std::string, at::Tensor> m_tensors;
};

// One positional argument of a kernel.
struct Argument {
  enum class Kind { tensor, tensor_tuple, parameter, integers };
  Kind kind = Kind::tensor;
  std::vector<std::string> names;      // of the tensor(s) or the parameter
  std::vector<std::int64_t> integers;  // kind integers: the value
};

Argument tensor(std::string name);
Argument tensor_tuple(std::vector<std::string> names);  // arrives as one py::tuple
Argument parameter(std::string name);                   // int, double or bool as in the config
Argument integer_list(std::vector<std::int64_t> values);

// torch.allclose's rule: |actual - expected| <= atol + rtol * |expected|.
struct Tolerance {
  double atol = 1e-5;
  double rtol = 1e-5;
  std::string reason = "the paper's tolerance, which float32 holds here";
};

// One result of a kernel. For backward, `name` is the tensor whose gradient it is.
struct Output {
  std::string name;
  Tolerance tolerance = {};
};

// The least work that any implementation of a config does.
struct Cost {
  double flops = 0;  // floating-point operations, a multiply-add counts 2
  double bytes = 0;  // compulsory traffic: every input read once, every output written once
};

// What differs between the forward and the backward kernel of a task.
struct Contract {
  std::function<std::vector<Argument>(const Params&)> arguments;  // in the kernel's order
  std::vector<Output> outputs;                                    // in the kernel's order
  std::function<Cost(const Params&)> cost;
  std::vector<std::string> ignored_keys;  // config keys that are accepted and mean nothing here
  // Instead of the task's, where the two directions are handed other shapes.
  std::function<std::vector<TensorSpec>(const Params&)> inputs;
  // Of a backward; none: normal(). For gradients that would be so small that the absolute tolerance
  // held everything.
  std::function<Distribution(const Params&)> grad_output;
};

struct Task {
  std::string name;
  std::string summary;  // one sentence
  Params defaults;      // every parameter; a config may override any of these and no other

  std::function<std::vector<TensorSpec>(const Params&)> weights;
  std::function<std::vector<TensorSpec>(const Params&)> inputs;

  // The operator in plain ATen, for any floating dtype: float64 for the reference, float32 for the
  // eager baseline; its autograd is the backward reference.
  std::function<at::Tensor(const Tensors&, const Params&)> forward;

  Contract forward_contract;
  std::optional<Contract> backward_contract;  // tensors there may also name "grad_output"

  // Where the forward has a kink (ReLU, max): a bool tensor shaped like the output, true where the
  // float64 forward is within `kink_distance` of a decision. grad_output is 0 there, since float32
  // may decide otherwise and no tolerance can hold what follows.
  std::function<at::Tensor(const Tensors&, const Params&)> near_kink;

  // Multiply-add is 2 flops of order 1: the float32 error of a decision at unit scale is 1e-6, so
  // 1e-4 leaves two orders of magnitude.
  static constexpr double kink_distance = 1e-4;
};

}  // namespace robust_kbench
