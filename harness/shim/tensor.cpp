#include "shim/shape.hpp"
#include <robust_kbench/shim/factories.h>
#include <robust_kbench/shim/tensor.h>

namespace rkb {

bool Tensor::is_contiguous(MemoryFormat format) const {
  const DimVector dense = format_strides(sizes(), format);
  for (std::int64_t i = 0; i < dim(); ++i) {
    if (m_impl->sizes[i] != 1 && m_impl->strides[i] != dense[i] && m_impl->numel != 0) {
      return false;
    }
  }
  return true;
}

Scalar Tensor::item() const {
  TORCH_CHECK(numel() == 1, "a Tensor with ", numel(), " elements cannot be converted to Scalar");
  double real = 0;
  std::int64_t integer = 0;
  check_status(table->item(m_impl, &real, &integer));
  if (is_floating_point()) return real;
  return scalar_type() == kBool ? Scalar(integer != 0) : Scalar(integer);
}

const Tensor& Tensor::fill_(Scalar value) const {
  get();
  check_status(table->fill(m_impl, value.toDouble()));
  return *this;
}

const Tensor& Tensor::copy_(const Tensor& source, bool) const {
  const Tensor expanded = source.sizes() == sizes() ? source : source.expand(sizes());
  check_status(table->copy(m_impl, expanded.impl()));
  return *this;
}

Tensor Tensor::contiguous(MemoryFormat format) const {
  if (is_contiguous(format)) return *this;
  Tensor result = empty(sizes(), options(), format);
  result.copy_(*this);
  return result;
}

Tensor Tensor::clone(MemoryFormat format) const {
  Tensor result = empty_like(*this, {}, format);
  result.copy_(*this);
  return result;
}

Tensor Tensor::to(TensorOptions options, bool, bool copy) const {
  const TensorOptions wanted = options.over(this->options());
  const bool same_device =
      wanted.device().type() == device().type() &&
      (!wanted.device().has_index() || wanted.device().index() == device().index());
  if (!copy && wanted.dtype() == scalar_type() && (same_device || wanted.device() == device())) {
    return *this;
  }
  Tensor result = empty_like(*this, wanted);
  result.copy_(*this);
  return result;
}

void Tensor::throw_undefined() {
  fail({"tensor does not have a device: it is undefined"});
}

void Tensor::throw_no_such_dim(std::int64_t index) const {
  TORCH_CHECK_INDEX(dim() != 0, "Dimension specified as ", index, " but tensor has no dimensions");
  wrap_dim(index, dim());
  __builtin_unreachable();
}

void Tensor::throw_other_element(ScalarType asked) const {
  fail({"expected scalar type ", asked, " but found ", scalar_type()});
}

void Tensor::throw_other_rank(std::size_t asked) const {
  fail({"TensorAccessor expected ", asked, " dims but tensor has ", dim()});
}

}  // namespace rkb
