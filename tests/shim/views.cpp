#include <torch/extension.h>

// Every view of the shim, of a contiguous tensor of 2 x 3 x 4.

std::vector<at::Tensor> shapes(const at::Tensor& x) {
  return {x.view({6, 4}),
          x.view(-1),
          x.reshape({4, -1}),
          x.flatten(),
          x.flatten(1),
          x.flatten(0, 1),
          x.unsqueeze(0),
          x.unsqueeze(-1),
          x.unsqueeze(1).squeeze(1),
          x.unsqueeze(2).squeeze(),
          x.view_as(x),
          at::reshape(x, {x.numel()})};
}

std::vector<at::Tensor> orders(torch::Tensor x) {
  return {x.transpose(0, 2), x.permute({2, 0, 1}), x.select(0, 1).t(), torch::transpose(x, -1, -2),
          // Not viewable: these copy.
          x.permute({1, 0, 2}).reshape({6, 4}), x.transpose(1, 2).contiguous()};
}

std::vector<at::Tensor> parts(at::Tensor x) {
  return {x[1],
          x.select(-1, 2),
          x.narrow(1, 1, 2),
          x.slice(2, 1, 4, 2),
          x.slice(1, -2),
          x.select(0, 0).unsqueeze(0).expand({5, -1, 4}),
          x.as_strided({3}, {8}, 1)};
}

at::Tensor impossible_view(at::Tensor x) {
  return x.transpose(0, 1).view({-1});
}
at::Tensor wrong_view(at::Tensor x) {
  return x.view({5, 5});
}
at::Tensor wrong_dimension(at::Tensor x) {
  return x.select(3, 0);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("shapes", &shapes);
  m.def("orders", &orders);
  m.def("parts", &parts);
  m.def("impossible_view", &impossible_view);
  m.def("wrong_view", &wrong_view);
  m.def("wrong_dimension", &wrong_dimension);
}
