#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <robust_kbench/direction.hpp>
#include <robust_kbench/params.hpp>
#include <robust_kbench/probe.hpp>
#include <robust_kbench/tensor_operators.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

// A task author writes one function per task that returns a Task. docs/tasks.md shows a whole one.
namespace robust_kbench {

// How the elements of a tensor are drawn, each from a counter-based generator keyed by task, tensor
// and seed.
struct Distribution {
  enum class Kind { normal, uniform, constant, integers, zero };
  Kind kind = Kind::normal;
  double a = 0.0;       // mean | low (inclusive) | value | low (inclusive)
  double b = 1.0;       // standard deviation | high (exclusive) | unused | high (exclusive)
  double spread = 0.0;  // of a constant, see below
};

Distribution normal(double mean = 0.0, double stddev = 1.0);
Distribution uniform(double low, double high);
// The value everywhere, in tests of typical data. Timed calls and perturbed ones draw each element
// from [value - spread, value + spread), so that nothing kept of one call is right in the next. A
// variance needs a spread below its value. Without a spread all calls have the same tensor.
Distribution constant(double value, double spread = 0.0);
Distribution integers(std::int64_t low, std::int64_t high);  // int64 unless the spec has a dtype

// torch.nn.init's methods for a weight of shape (out, in, ...): kaiming_uniform with a = sqrt(5),
// the default of torch.nn.Linear and torch.nn.Conv2d, and xavier_normal with gain 1.
Distribution kaiming_uniform(const std::vector<std::int64_t>& weight_shape);
Distribution xavier_normal(const std::vector<std::int64_t>& weight_shape);

// One of the above by the name that robust-kbench's configs give it: kaiming, xavier, or normal
// (mean 0, standard deviation 1). Throws UserError for any other.
Distribution initialization(const std::string& init_method,
                            const std::vector<std::int64_t>& weight_shape);

// One tensor of a task. Each size is at least 1, and there are 2^40 elements at most. normal() and
// uniform() draw floating tensors only. integers() and constant() draw any dtype that holds each of
// their values exactly.
struct TensorSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  Distribution distribution = {};
  bool present = true;  // false: an optional tensor that this config does not have, passed as None
  // One of the dtypes that kernels know: at::kFloat, kDouble, kHalf, kBFloat16, kLong, kInt,
  // kShort, kChar, kByte, kBool. The default is int64 for integers(), float32 for all others.
  std::optional<at::ScalarType> dtype = {};
  // Makes the tensor of what is drawn, a tensor of the same shape. What is drawn is int64 for
  // integers() and float32 for all others. None: it is the tensor.
  std::function<at::Tensor(const at::Tensor&)> then = {};
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

// The result of a forward: one tensor, or several in the order of its contract's outputs.
struct OutputTensors : std::vector<at::Tensor> {
  OutputTensors(at::Tensor only) : vector{std::move(only)} {}
  OutputTensors(std::vector<at::Tensor> several) : vector(std::move(several)) {}
};

// One positional argument of a kernel.
struct Argument {
  enum class Kind { tensor, tensor_tuple, parameter, integers, literal };
  Kind kind = Kind::tensor;
  std::vector<std::string> names;      // of the tensor(s), the parameter or the literal
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

// One result of a kernel. For backward, `name` is the tensor whose gradient it is.
struct Output {
  std::string name;
  // None: the dtype's own. That is 1e-5 for float32, what torch.testing.assert_close takes for
  // other floating dtypes, and 0 for integers and bool.
  std::optional<Tolerance> tolerance = {};
  // The dtype that a kernel returns. The float64 reference is not rounded to it.
  at::ScalarType dtype = at::kFloat;
};

// The least work that any implementation of a config does.
struct Cost {
  double flops = 0;  // floating-point operations, a multiply-add counts 2
  double bytes = 0;  // compulsory traffic: every input read once, every output written once
};

// The part that differs between the forward and the backward kernel of a task.
struct Contract {
  std::function<std::vector<Argument>(const Params&)> arguments;  // in the kernel's order
  std::vector<Output> outputs;                                    // in the kernel's order
  std::function<Cost(const Params&)> cost;
  std::vector<std::string> ignored_keys;  // config keys that are accepted and mean nothing here
  // Replaces the task's inputs, where the two directions take other shapes.
  std::function<std::vector<TensorSpec>(const Params&)> inputs;
  // Distribution of a backward's incoming gradients, normal() by default. Needed where gradients
  // would be so small that any result would be within the absolute tolerance.
  std::function<Distribution(const Params&)> grad_output;
  // Shapes of the outputs, in their order, for kernels that return nothing. Tensors of these shapes
  // are their last arguments then, and hold the outputs after the call. None: kernels return them.
  std::function<std::vector<std::vector<std::int64_t>>(const Params&)> out_arguments = {};
  // Terms of the longest sum in each output, in their order. None: the outputs' own tolerances hold
  // instead of the measured error of float32 (tensor/yardstick.hpp).
  std::function<std::vector<std::int64_t>(const Params&)> longest_sums = {};
};

// The values that a kernel should take of one integer parameter, beside those of listed configs.
struct SizeRange {
  std::string parameter;
  std::int64_t least = 1;
  std::int64_t most = 1;
  std::int64_t multiple = 1;  // that every value is of
};

// Which shapes beside the listed ones a kernel should compute.
struct Shapes {
  std::vector<SizeRange> sizes;
  std::function<bool(const Params&)> valid = {};  // whether sizes fit together; none: always
  // Complete sets of parameters, the only ones beside the listed. Then there are no `sizes`.
  std::vector<Params> points = {};
};

// A probe that does not apply to a task, with the reason that people are told.
struct InapplicableProbe {
  Probe probe;
  std::string reason;
  std::optional<Direction> direction = {};  // to which it does not apply; none: to both
};

// Beyond which typical data a kernel of the task should be right.
struct Domain {
  std::vector<InapplicableProbe> inapplicable = {};
  // NaN and infinity must be chosen among as torch chooses. Else they are only recorded.
  bool chooses_among_inputs = false;
};

struct Task {
  std::string name;
  std::string summary;  // one sentence
  Params defaults;      // every parameter; a config may override any of these and no other

  std::function<std::vector<TensorSpec>(const Params&)> weights;
  std::function<std::vector<TensorSpec>(const Params&)> inputs;

  // The operator in plain ATen. The eager baseline calls it with tensors of their own dtypes, the
  // reference with every floating one in float64; its autograd is the backward reference. A
  // function that returns one at::Tensor will do.
  std::function<OutputTensors(const Tensors&, const Params&)> forward;

  Contract forward_contract;
  // Its arguments may also name the incoming gradients of the forward's floating outputs. A single
  // one is "grad_output". Several are named "grad_<output>".
  std::optional<Contract> backward_contract;

  // For a forward with kinks (ReLU, max). Gives for each floating output a bool tensor of its
  // shape, or an undefined one. It is true where the forward is near a decision
  // (robust_kbench/kink.hpp). The incoming gradient is 0 there: float32 may decide otherwise, and
  // no tolerance covers the result. It is called with float64 tensors for tests, with float32 ones
  // for timed calls.
  std::function<OutputTensors(const Tensors&, const Params&)> near_kink;

  // None: the shapes are fixed, and kernels are tested on the listed ones alone.
  std::optional<Shapes> shapes = {};
  // None: kernels are tested on typical data alone.
  std::optional<Domain> domain = {};

  // Holds the config files and reference.py of a task that is made at run time. Empty: the manifest
  // says where they are.
  std::string directory = {};
  // The package of an imported task (docs/packages.md), for processes that cannot know it
  // otherwise.
  std::string package = {};

  // Relative to the root mean square of what is decided. The float32 error of a sum of hundreds of
  // terms is 1e-6 of it, so 1e-4 leaves two orders of magnitude.
  static constexpr double kink_distance = 1e-4;
};

}  // namespace robust_kbench
