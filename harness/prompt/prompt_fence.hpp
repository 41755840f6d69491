#pragma once

#include <string>

#include "archive/journal.hpp"
#include "core/scrub.hpp"

namespace robust_kbench {

// The secret from which a run makes the marks of its prompts (llm/mark_secret.hpp). Threads may not
// ask for it at the same time.
std::string mark_secret_of(Journal& journal);

// Puts text from outside, such as sources and names, between two lines with the mark of one prompt.
// Nobody outside of the run knows the mark, so no text can end its fence. Prompts of the helper
// have the same fences (docs/prompts.md). The text is scrubbed first.
class PromptFence {
 public:
  // `prompt` names the prompt within the run. Equal arguments give an equal mark, so a run that
  // goes on or is replayed has the same prompts. The scrubber outlives this object.
  PromptFence(const std::string& secret, const std::string& prompt, const Scrubber& scrubber);

  [[nodiscard]] const std::string& mark() const { return m_mark; }

  // The fenced source, of which 60 000 characters are shown. `label` is the prompt's own word for
  // it.
  [[nodiscard]] std::string source(const std::string& text, const std::string& label) const;
  // The fenced name or idea, as one line of at most 200 characters.
  [[nodiscard]] std::string line(const std::string& text, const std::string& label) const;

 private:
  [[nodiscard]] std::string fenced(std::string shown, const std::string& label,
                                   std::size_t limit) const;

  const std::string m_mark;
  const Scrubber& m_scrubber;
};

}  // namespace robust_kbench
