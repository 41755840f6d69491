// Functions with the glue around them that a solution's forward would have (docs/solutions.md).
#include <torch/extension.h>

torch::Tensor twice(torch::Tensor x) {
  auto y = torch::empty_like(x);
  for (int64_t i = 0; i < x.numel(); ++i) y.data_ptr<float>()[i] = 2 * x.data_ptr<float>()[i];
  return y;
}

// One a row, so that its shape is not the argument's.
torch::Tensor row_sums(torch::Tensor x, bool keep) {
  auto y =
      keep ? torch::zeros({x.size(0), 1}, x.options()) : torch::zeros({x.size(0)}, x.options());
  for (int64_t i = 0; i < x.numel(); ++i) {
    y.data_ptr<float>()[i / x.size(1)] += x.data_ptr<float>()[i];
  }
  return y;
}

void halve(torch::Tensor x) {
  for (int64_t i = 0; i < x.numel(); ++i) x.data_ptr<float>()[i] /= 2;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("twice", &twice);
  m.def("row_sums", &row_sums);
  m.def("halve", &halve);
}

extern "C" __attribute__((visibility("default"))) const char rkb_glue[];
const char rkb_glue[] = R"glue({
  "parameters": [{"name": "x", "kind": 1, "optional": true},
                 {"name": "keep", "kind": 4, "optional": true}],
  "plans": [
    {"shapes": [[2, 3], null],
     "steps": [{"view": 0, "sizes": [6], "strides": [1], "offset": 0},
               {"call": "twice", "args": [{"t": 2}], "outputs": 1, "results": [[6]]},
               {"view": 3, "sizes": [2], "strides": [3], "offset": 1}],
     "outputs": [3, 4]},
    {"shapes": [[4, 2], null],
     "steps": [{"view": 0, "sizes": [2, 4], "strides": [1, 2], "offset": 0},
               {"op": "aten::contiguous", "overload": "", "args": [{"t": 2}], "outputs": 1},
               {"call": "twice", "args": [{"t": 3}], "outputs": 1, "results": [[2, 4]]},
               {"op": "aten::add", "overload": "Tensor", "args": [{"t": 4}, {"t": 4}, 0.5],
                "outputs": 1},
               {"op": "aten::add", "overload": "Tensor", "args": [{"t": 5}, 1.0], "outputs": 1}],
     "outputs": [6]},
    {"shapes": [[2, 2], null],
     "steps": [{"call": "row_sums", "args": [{"t": 0}, {"t": 1}], "outputs": 1,
                "results": [[2]]},
               {"call": "twice", "args": [{"t": 2}], "outputs": 1, "results": [null]}],
     "outputs": [3]},
    {"shapes": [[2, 2], null],
     "steps": [{"call": "row_sums", "args": [{"t": 0}, {"t": 1}], "outputs": 1,
                "results": [[2, 1]]},
               {"view": 2, "sizes": [2], "strides": [1], "offset": 0}],
     "outputs": [3]},
    {"shapes": [[3, 3], null],
     "steps": [{"call": "row_sums", "args": [{"t": 0}, true], "outputs": 1, "results": [[3]]},
               {"call": "twice", "args": [{"t": 2}], "outputs": 1, "results": [null]}],
     "outputs": [3]},
    {"shapes": [[1, 3], null],
     "steps": [{"call": "twice", "args": [{"t": 0}], "outputs": 1, "results": [[1, 3]]},
               {"call": "twice", "args": [{"t": 2}], "outputs": 1, "results": [[1, 3]]},
               {"call": "halve", "args": [{"t": 3}], "outputs": 0, "results": []}],
     "outputs": [3]},
    {"shapes": [[1, 1], null], "raised": "RuntimeError: too small"}]
})glue";
