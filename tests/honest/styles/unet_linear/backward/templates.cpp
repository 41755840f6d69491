#include <vector>

#include <torch/extension.h>

// Gradients by one template for products of matrices, turned or not.

template <typename Scalar>
class Matrix {
 public:
  Matrix(Scalar* data, long rows, long columns) : data_(data), rows_(rows), columns_(columns) {}
  long rows() const { return rows_; }
  long columns() const { return columns_; }
  Scalar& operator()(long row, long column) const { return data_[row * columns_ + column]; }

 private:
  Scalar* data_;
  long rows_, columns_;
};

template <typename Scalar>
class Turned {
 public:
  explicit Turned(Matrix<Scalar> matrix) : matrix_(matrix) {}
  long rows() const { return matrix_.columns(); }
  long columns() const { return matrix_.rows(); }
  Scalar& operator()(long row, long column) const { return matrix_(column, row); }

 private:
  Matrix<Scalar> matrix_;
};

template <typename Left, typename Right, typename Scalar>
void multiply(const Left& left, const Right& right, Matrix<Scalar> product) {
  for (long i = 0; i < left.rows(); ++i) {
    for (long j = 0; j < right.columns(); ++j) {
      Scalar sum{};
      for (long k = 0; k < left.columns(); ++k) sum += left(i, k) * right(k, j);
      product(i, j) = sum;
    }
  }
}

template <typename Scalar>
void add_rows(const Matrix<Scalar>& matrix, Scalar* sums) {
  for (long column = 0; column < matrix.columns(); ++column) {
    sums[column] = Scalar{};
    for (long row = 0; row < matrix.rows(); ++row) sums[column] += matrix(row, column);
  }
}

std::vector<torch::Tensor> backward(torch::Tensor grad_output, torch::Tensor x,
                                    torch::Tensor weights) {
  const long out = weights.size(0), in = weights.size(1), rows = x.numel() / in;
  auto dx = torch::empty_like(x), dw = torch::empty_like(weights);
  auto db = torch::empty({out}, x.options());
  const Matrix<float> g(grad_output.data_ptr<float>(), rows, out);
  const Matrix<float> w(weights.data_ptr<float>(), out, in);
  const Matrix<float> from(x.data_ptr<float>(), rows, in);
  multiply(g, w, Matrix<float>(dx.data_ptr<float>(), rows, in));
  multiply(Turned<float>(g), from, Matrix<float>(dw.data_ptr<float>(), out, in));
  add_rows(g, db.data_ptr<float>());
  return {dx, dw, db};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("backward", &backward);
}
