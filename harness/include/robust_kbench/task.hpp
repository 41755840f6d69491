#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <robust_kbench/direction.hpp>
#include <robust_kbench/distribution.hpp>
#include <robust_kbench/params.hpp>
#include <robust_kbench/probe.hpp>
#include <robust_kbench/tensor_operators.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

// A task author writes one function per task that returns a Task. docs/tasks.md shows a whole
// example.
namespace robust_kbench {

// One tensor of a task. Each size is at least 1, and there are at most 2^40 elements. normal() and
// uniform() draw only floating tensors. integers() and constant() draw any dtype that represents
// each of their values exactly.
struct TensorSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  Distribution distribution = {};
  bool present = true;  // false: an optional tensor that this config does not have, passed as None
  // One of the dtypes that kernels know: at::kFloat, kDouble, kHalf, kBFloat16, kLong, kInt,
  // kShort, kChar, kByte, kBool. The default is int64 for integers(), float32 for all others.
  std::optional<at::ScalarType> dtype = {};
  // Makes the tensor from a drawn tensor of the same shape, which is int64 for integers() and
  // float32 for all others. None: the drawn tensor is used.
  std::function<at::Tensor(const at::Tensor&)> then = {};
};

// The spec of an optional tensor that a config does not have.
TensorSpec absent(std::string name);

// The tensors of one call by name. An absent optional tensor is undefined.
class Tensors {
 public:
  // Throws UserError that lists the known tensors if `name` is not among them.
  [[nodiscard]] const at::Tensor& operator[](const std::string& name) const;
  void set(const std::string& name, at::Tensor tensor) { m_tensors[name] = std::move(tensor); }
  [[nodiscard]] const std::map<std::string, at::Tensor>& all() const { return m_tensors; }

 private:
  std::map<std::string, at::Tensor> m_tensors;
};

// The result of a forward: one tensor, or several in the order of its contract's outputs.
struct OutputTensors : std::vector<at::Tensor> {
  OutputTensors(at::Tensor only) : vector{std::move(only)} {}
  OutputTensors(std::vector<at::Tensor> several) : vector(std::move(several)) {}
};

// One positional argument of a kernel.
struct Argument {
  enum class Kind { tensor, tensor_tuple, parameter, integers, literal };
  Kind kind = Kind::tensor;
  std::vector<std::string> names;      // names of the tensors, the parameter or the literal
  std::vector<std::int64_t> integers;  // kind integers: the value
  ParamValue value = {};               // kind literal
};

Argument tensor(std::string name);
Argument tensor_tuple(std::vector<std::string> names);  // arrives as one py::tuple
Argument parameter(std::string name);                   // int, double or bool as in the config
Argument integer_list(std::vector<std::int64_t> values);
Argument literal(std::string name, ParamValue value);  // int, double or bool

// torch.allclose's rule: |actual - expected| <= atol + rtol * |expected|.
struct Tolerance {
  double atol = 1e-5;
  double rtol = 1e-5;
  std::string reason = "the paper's tolerance, which float32 holds here";
};

// One result of a kernel. In a backward, `name` is the tensor whose gradient it is.
struct Output {
  std::string name;
  // None: the default of the dtype. It is 1e-5 for float32, torch.testing.assert_close's for other
  // floating dtypes, and 0 for integers and bool.
  std::optional<Tolerance> tolerance = {};
  // The dtype that a kernel returns. The float64 reference is not rounded to it.
  at::ScalarType dtype = at::kFloat;
};

// The least work that any implementation of a config needs.
struct Cost {
  double flops = 0;  // floating-point operations; a multiply-add counts as 2
  double bytes = 0;  // compulsory traffic: every input read once, every output written once
  // The most bytes that results hold at a time, if a kernel computes one operator after another.
  // 0: no more than inputs and outputs.
  double unfused_bytes = 0;
};

// The part that differs between the forward and the backward kernel of a task.
struct Contract {
  std::function<std::vector<Argument>(const Params&)> arguments;  // in the kernel's order
  std::vector<Output> outputs;                                    // in the kernel's order
  std::function<Cost(const Params&)> cost;
  std::vector<std::string> ignored_keys;  // config keys that are accepted and mean nothing here
  // Replaces the task's inputs if the two directions take other shapes.
  std::function<std::vector<TensorSpec>(const Params&)> inputs;
  // The distribution of a backward's incoming gradients, by default normal(). Set it if gradients
  // would be so small that any result would be within the absolute tolerance.
  std::function<Distribution(const Params&)> grad_output;
  // The shapes of the outputs, in their order, for kernels that return nothing. Their last
  // arguments are then tensors of these shapes, which have the outputs after the call. None:
  // kernels return the outputs.
  std::function<std::vector<std::vector<std::int64_t>>(const Params&)> out_arguments = {};
  // The number of terms of the longest sum in each output, in their order. None: the outputs' own
  // tolerances apply instead of the measured error of float32 (tensor/yardstick.hpp).
  std::function<std::vector<std::int64_t>(const Params&)> longest_sums = {};
};

// The values of one integer parameter that a kernel should accept, besides those of listed configs.
struct SizeRange {
  std::string parameter;
  std::int64_t least = 1;
  std::int64_t most = 1;
  std::int64_t multiple = 1;  // every value is a multiple of it
};

// A parameter with few values, such as a stride or whether there is a bias. A kernel should accept
// each of them.
struct Choice {
  std::string parameter;
  std::vector<ParamValue> values;
};

// The shapes that a kernel should compute, besides the listed ones.
struct Shapes {
  std::vector<SizeRange> sizes;
  std::function<bool(const Params&)> valid = {};  // true if sizes fit together; none: always
  // Complete sets of parameters, used in place of `sizes`, which is then empty.
  std::vector<Params> points = {};
  // Such sets near the largest listed config, for tasks with points.
  std::vector<Params> large = {};
  // Every combination of these values is called on tiny sizes, 64 at most.
  std::vector<Choice> choices = {};
};

// A probe that does not apply to a task, with the reason that is reported.
struct InapplicableProbe {
  Probe probe;
  std::string reason;
  std::optional<Direction> direction = {};  // the direction to which it does not apply; none: both
};

// The unusual data on which a kernel of the task should be right.
struct Domain {
  std::vector<InapplicableProbe> inapplicable = {};
  // If true, kernels must choose among NaN and infinity as torch does. Otherwise such results are
  // only recorded.
  bool chooses_among_inputs = false;
};

struct Task {
  std::string name;
  std::string summary;  // one sentence
  Params defaults;      // every parameter; a config may override these and no others

  std::function<std::vector<TensorSpec>(const Params&)> weights;
  std::function<std::vector<TensorSpec>(const Params&)> inputs;

  // The operator in plain ATen. The eager baseline calls it with tensors of their own dtypes. The
  // reference calls it with every floating tensor in float64, and its autograd is the backward
  // reference. A function that returns one at::Tensor is allowed, too.
  std::function<OutputTensors(const Tensors&, const Params&)> forward;

  Contract forward_contract;
  // Its arguments may also name the incoming gradients of the forward's floating outputs. A single
  // gradient is called "grad_output", and several are called "grad_<output>".
  std::optional<Contract> backward_contract;

  // For a forward with kinks (ReLU, max). It gives a bool tensor for each floating output, with
  // that output's shape, or an undefined one. It is true where the forward is near a decision
  // (robust_kbench/kink.hpp). The incoming gradient is 0 there, since float32 may decide otherwise
  // and no tolerance would cover the result. It is called with float64 tensors for tests, and with
  // float32 ones for timed calls.
  std::function<OutputTensors(const Tensors&, const Params&)> near_kink;

  // None: the shapes are fixed, and kernels are tested only on the listed ones.
  std::optional<Shapes> shapes = {};
  // None: kernels are tested only on typical data.
  std::optional<Domain> domain = {};

  // The directory with the config files and reference.py of a task that is made at run time. Empty:
  // the manifest names it.
  std::string directory = {};
  // The path of an imported task's package (docs/packages.md), for processes that cannot learn it
  // otherwise.
  std::string package = {};

  // A limit relative to the root mean square of the decided values. The float32 error of a sum of
  // hundreds of terms is 1e-6 of that, so 1e-4 leaves two orders of magnitude.
  static constexpr double kink_distance = 1e-4;
};

}  // namespace robust_kbench
