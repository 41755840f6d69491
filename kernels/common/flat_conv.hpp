#pragma once

#include <algorithm>
#include <cstdint>

#include "parallel.hpp"
#include "tile.hpp"

// Convolution as a matrix product that needs no copy per kernel element.
namespace kernels {

// Lay a padded image out row after row with a pitch of its padded width. The output at (y, x) has
// position q = y * pitch + x. Its input under kernel element (ky, kx) lies at q + (ky * pitch +
// kx), a fixed distance for all q. So the convolution sums, over (channel, ky, kx), the weight
// times the same flat plane moved by an offset. multiply_tile does that with a table of row
// addresses. The positions at the right end of a row, beyond the output's width, come out as
// garbage and are skipped. They cost (kernel - 1) / pitch of the work, where im2col would write and
// read a whole matrix.
//
// A stride s splits each channel into s x s phases (rows and columns of the same remainder). The
// distance is again fixed within a phase.
struct FlatConv {
  int64_t channels;
  int64_t height;
  int64_t width;
  int64_t kernel_height;
  int64_t kernel_width;
  int64_t stride;
  int64_t padding;
  int64_t spare_columns = 0;  // widen the pitch, to share positions with another convolution

  int64_t out_height() const { return (height + 2 * padding - kernel_height) / stride + 1; }
  int64_t out_width() const { return (width + 2 * padding - kernel_width) / stride + 1; }
  int64_t pitch() const { return out_width() + (kernel_width - 1) / stride + spare_columns; }
  int64_t depth() const { return channels * kernel_height * kernel_width; }

  // Floats of one image's planes. Tiles of 16 read beyond the last position.
  int64_t planes_size() const {
    return channels * phases_y() * phases_x() * plane() + kTileColumns;
  }

  // Fills the table with the place at which kernel element k = (channel, ky, kx) finds position 0.
  void offsets(int64_t* table) const {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t ky = 0; ky < kernel_height; ++ky) {
        for (int64_t kx = 0; kx < kernel_width; ++kx) *table++ = offset(c, ky, kx);
      }
    }
  }

  int64_t offset(int64_t channel, int64_t ky, int64_t kx) const {
    const int64_t phase = ky % stride * phases_x() + kx % stride;
    return (channel * phases_y() * phases_x() + phase) * plane() + ky / stride * pitch() +
           kx / stride;
  }

  // Lays `channel` of an image out in its planes.
  void fill(const float* image, int64_t channel, float* planes) const {
    const float* from = image + channel * height * width;
    float* to = planes + channel * phases_y() * phases_x() * plane();
    for (int64_t py = 0; py < phases_y(); ++py) {
      for (int64_t px = 0; px < phases_x(); ++px) {
        // Column c of the phase is column c * stride + shift of the image, where there is one.
        const int64_t shift = px - padding;
        const int64_t begin = std::min(pitch(), shift < 0 ? (stride - 1 - shift) / stride : 0);
        const int64_t end = std::clamp((width - shift + stride - 1) / stride, begin, pitch());
        for (int64_t r = 0; r < plane_rows(); ++r, to += pitch()) {
          const int64_t y = r * stride + py - padding;
          if (y < 0 || y >= height) {
            std::fill(to, to + pitch(), 0.0f);
            continue;
          }
          const float* row = from + y * width + shift;
          std::fill(to, to + begin, 0.0f);
          if (stride == 1) {
            std::copy(row + begin, row + end, to + begin);
          } else {
            for (int64_t c = begin; c < end; ++c) to[c] = row[c * stride];
          }
          std::fill(to + end, to + pitch(), 0.0f);
        }
      }
    }
  }

 private:
  int64_t phases_y() const { return std::min(stride, kernel_height); }
  int64_t phases_x() const { return std::min(stride, kernel_width); }
  int64_t plane_rows() const { return out_height() + (kernel_height - 1) / stride; }
  int64_t plane() const { return plane_rows() * pitch(); }
};

// sums[i][q] for `rows` <= 6 output channels and flat positions q in [0, count), rows of
// `round_up(count)` floats. `planes` points at the first position.
inline void convolve(const float* weights, int64_t rows, const int64_t* offsets, int64_t depth,
                     const float* planes, int64_t count, float* sums, int64_t sums_row) {
  const int64_t block = even_block(depth, kMostDepth, 1);
  for (int64_t p = 0; p < depth; p += block) {
    for (int64_t q = 0; q < count; q += kTileColumns) {
      const OffsetRows row_of_planes{planes + q, offsets + p};
      const Addend so_far{p > 0 ? sums + q : nullptr, sums_row};
      multiply_tile<Vec, kTileRows, 2>(rows, weights + p, depth, 1, row_of_planes,
                                       std::min(block, depth - p), sums + q, sums_row, so_far);
    }
  }
}

inline int64_t round_up(int64_t count) {
  return (count + kTileColumns - 1) / kTileColumns * kTileColumns;
}

// Calls visit(y, x, q, count) for each run of positions that are real outputs. A run is [q, q +
// count), counted from `first`. It is `count` outputs of row y from column x on.
template <class Visit>
inline void for_output_runs(Range positions, int64_t pitch, int64_t out_width, const Visit& visit) {
  int64_t position = positions.begin;
  while (position < positions.end) {
    const int64_t y = position / pitch;
    const int64_t x = position % pitch;
    const int64_t count = std::min(out_width - x, positions.end - position);
    if (count > 0) visit(y, x, position - positions.begin, count);
    position += std::min(pitch - x, positions.end - position);
  }
}

// Output channels are taken in tiles of at most six, of sizes as equal as can be: 8 as 4 + 4.
inline int64_t channel_tiles(int64_t channels) {
  return (channels + kTileRows - 1) / kTileRows;
}

}  // namespace kernels
