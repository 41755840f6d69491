#include "check/detect/unwritten_output.hpp"

#include <bit>
#include <string>

#include "check/bytes.hpp"
#include "core/cipher.hpp"
#include "core/seed.hpp"

namespace robust_kbench {
namespace {

// Fewer bits may equal poison by chance.
constexpr int min_bits = 32;

struct OutputWords {
  std::vector<std::int64_t> indices;
  std::vector<std::int64_t> masks;
  std::vector<std::pair<std::size_t, std::size_t>> origins;  // call, output

  // A word of which few bits belong to `range` proves nothing.
  void add(std::uint64_t word, const ByteRange& range, std::size_t call, std::size_t output) {
    const std::uint64_t mask = mask_of(word, range);
    if (std::popcount(mask) < min_bits) return;
    indices.push_back(static_cast<std::int64_t>(word));
    masks.push_back(static_cast<std::int64_t>(mask));
    origins.emplace_back(call, output);
  }
};

OutputWords output_words(const BatchEvidence& evidence) {
  const std::vector<CallResult>& calls = evidence.calls;
  CipherStream random(secret_key());
  OutputWords words;
  for (std::size_t call = 0; call < calls.size(); ++call) {
    for (std::size_t output = 0; output < calls[call].outputs.size(); ++output) {
      const ResultValue& result = calls[call].outputs[output];
      const auto range = given_range(evidence.log, result);
      if (!range || has_gaps(std::get<TensorRef>(result), *range)) continue;
      const std::uint64_t first = range->begin / word_bytes;
      const std::uint64_t last = (range->end - 1) / word_bytes;
      words.add(first + random.below(last - first + 1), *range, call, output);
      // Kernels that write in order write this word last.
      words.add(last, *range, call, output);
    }
  }
  return words;
}

}  // namespace

std::optional<Judgement> unwritten_output(const BatchEvidence& evidence) {
  OutputWords words = output_words(evidence);
  if (words.indices.empty()) return std::nullopt;
  const at::Tensor unwritten =
      words_equal(evidence.arena, words.indices, words.masks, evidence.poison);
  if (!unwritten.any().item<bool>()) return std::nullopt;
  const auto first = unwritten.nonzero().view({-1}).select(0, 0).item<std::int64_t>();
  const auto [call, output] = words.origins.at(static_cast<std::size_t>(first));
  return wrong_result("call " + std::to_string(call) + " of " +
                      std::to_string(evidence.calls.size()) + " left output " +
                      std::to_string(output) + " unwritten");
}

}  // namespace robust_kbench
