#pragma once

#include "dot.hpp"
#include "gemm.hpp"

// y = x w^T + bias, both operands with the summed dimension innermost.
namespace kernels {

// y (rows, columns) = x (rows, depth) w^T + bias with w (columns, depth), in pieces like Product.
// Few rows: dot products, which need no packing but pay for adding up lanes.
// Many rows: w is packed (transposed) panel by panel, which all rows then share.
class LinearProduct {
 public:
  LinearProduct(const float* x, const float* w, float* y, int64_t rows, int64_t columns,
                int64_t depth, const float* bias = nullptr)
      : m_x(x),
        m_w(w),
        m_y(y),
        m_bias(bias),
        m_rows(rows),
        m_columns(columns),
        m_depth(depth),
        m_product({x, depth, 1}, {w, 1, depth}, y, rows, columns, depth, bias) {}

  int64_t pieces() const {
    return few_rows() ? (m_columns + kDotColumns - 1) / kDotColumns : m_product.pieces();
  }
  double work() const { return m_product.work(); }

  template <class Epilogue>
  void run(Range range, const Epilogue& epilogue) const {
    if (!few_rows()) return m_product.run(range, epilogue);
    const int64_t column = range.begin * kDotColumns;
    const int64_t columns = std::min(range.end * kDotColumns, m_columns) - column;
    if (columns <= 0) return;
    dot_products(StridedRows{m_x, m_depth}, m_rows, StridedRows{m_w + column * m_depth, m_depth},
                 columns, m_depth, m_y + column, m_columns, false);
    for (int64_t i = 0; i < m_rows; ++i) {
      float* y = m_y + i * m_columns + column;
      for (int64_t j = 0; m_bias && j < columns; ++j) y[j] += m_bias[column + j];
      epilogue(i, column, y, columns);
    }
  }

  void run(Range range) const {
    run(range, [](int64_t, int64_t, float*, int64_t) {});
  }

 private:
  static constexpr int64_t kFewRows = 8;

  bool few_rows() const { return m_rows <= kFewRows; }

  const float* m_x;
  const float* m_w;
  float* m_y;
  const float* m_bias;
  int64_t m_rows;
  int64_t m_columns;
  int64_t m_depth;
  Product m_product;
};

}  // namespace kernels
