#include "fabrics/optweb/boxes/word_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/diagnostics.h"

namespace weft {

Cycle WordBox::through(const PassingWords& words, Cycle at) const {
  const Cycle cycles = latency(words);
  if (cycles < 0) {
    throw RunError(fmt::format("{}: words cannot leave {} cycles before they enter (WordBox::latency)",
                               out.get_parent_object()->name(), -cycles));
  }
  return at + cycles;
}

WordPathIf& WordBoxes::bind(WordPathIf& next) {
  WordPathIf* behind = &next;
  for (auto box = boxes_.rbegin(); box != boxes_.rend(); ++box) {
    (*box)->out.bind(*behind);
    behind = box->get();
  }
  return *behind;
}

Cycle WordBoxes::latency_before(std::size_t place, const PassingWords& words) const {
  Cycle out = 0;
  for (std::size_t i = 0; i < place; ++i) out += boxes_[i]->latency(words);
  return out;
}

// Page by page through all boxes, so that what is on its way is small.
std::shared_ptr<const optweb::SparseMemory> carried(WordPathIf& entry, const PassingWords& words,
                                                    const optweb::SparseMemory& memory, std::uint64_t address,
                                                    const std::function<bool()>& stop) {
  constexpr std::uint64_t kPart = optweb::SparseMemory::kPage;
  auto out = std::make_shared<optweb::SparseMemory>(words.bytes, 0, 0);
  std::vector<std::byte> part;
  for (std::uint64_t done = 0; done < words.bytes && !(stop && stop()); done += kPart) {
    part.resize(static_cast<std::size_t>(std::min(kPart, words.bytes - done)));
    memory.read(address + done, part);
    entry.carry(words, done, part);
    out->write(done, part);
  }
  return out;
}

}  // namespace weft
