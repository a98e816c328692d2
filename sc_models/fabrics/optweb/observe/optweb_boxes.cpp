#include "fabrics/optweb/observe/optweb_boxes.h"

#include <algorithm>
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/vector.hpp>
#include <numeric>
#include <sstream>
#include <utility>

namespace weft {

std::optional<NodeId> OptwebBoxTimes::Sum::peer() const {
  const auto longest =
      std::max_element(peers.begin(), peers.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return longest == peers.end() ? std::nullopt : std::optional(longest->first);
}

OptwebBoxTimes::OptwebBoxTimes(std::uint32_t all, const std::vector<NodeId>& nodes, Picoseconds from,
                               std::optional<Picoseconds> until)
    : nodes_(nodes), from_(from), until_(until), place_(all, kNone) {
  if (nodes_.empty()) {
    nodes_.resize(all);
    std::iota(nodes_.begin(), nodes_.end(), 0U);
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) place_[nodes_[i]] = i;
  states_.resize(nodes_.size() * kOptwebBoxes);
}

void OptwebBoxTimes::on_box(const OptwebBoxSpan& span) {
  last_ = std::max(last_, span.to);
  if (place_[span.node] == kNone) return;
  const Picoseconds from = std::max(span.from, from_);
  const Picoseconds to = until_ ? std::min(span.to, *until_) : span.to;
  if (to < from || (to == from && span.to > span.from)) return;
  Sum& sum = states_[place_[span.node] * kOptwebBoxes + static_cast<std::size_t>(span.box)]
                    [static_cast<std::size_t>(span.state)];
  sum.time += to - from;
  ++sum.spans;
  if (to == span.to) sum.words += span.words;
  sum.most = std::max(sum.most, span.most);
  if (span.peer != kNoId) sum.peers[span.peer] += to - from;
}

void OptwebBoxTimes::Sum::add(const Sum& other) {
  time += other.time;
  spans += other.spans;
  words += other.words;
  most = std::max(most, other.most);
  for (const auto& [node, for_it] : other.peers) peers[node] += for_it;
}

std::string OptwebBoxTimes::numbers() const {
  std::ostringstream out;
  cereal::BinaryOutputArchive to(out);
  to(last_, states_);
  return std::move(out).str();
}

void OptwebBoxTimes::collect(const std::vector<std::string>& all) {
  last_ = 0;
  states_.assign(states_.size(), {});
  for (const std::string& text : all) {
    std::istringstream in(text);
    cereal::BinaryInputArchive from(in);
    Picoseconds last = 0;
    std::vector<States> states;
    from(last, states);
    last_ = std::max(last_, last);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      for (std::size_t s = 0; s < states_[i].size(); ++s) states_[i][s].add(states.at(i)[s]);
    }
  }
}

const OptwebBoxTimes::States& OptwebBoxTimes::of(NodeId node, OptwebBox box) const {
  return states_[place_[node] * kOptwebBoxes + static_cast<std::size_t>(box)];
}

Picoseconds OptwebBoxTimes::window(Picoseconds end) const {
  const Picoseconds over = std::max(end, last_);
  const Picoseconds until = until_ ? std::min(*until_, over) : over;
  return std::max<Picoseconds>(0, until - from_);
}

}  // namespace weft
