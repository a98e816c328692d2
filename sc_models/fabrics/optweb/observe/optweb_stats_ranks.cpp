// Statistics of an OPTWEB program on several ranks: each knows what its own nodes have executed and received.

#include <algorithm>
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>

#include "fabrics/optweb/observe/optweb_stats.h"

namespace weft {
namespace {

template <class T, class Choose>
void choose(std::optional<T>& mine, const std::optional<T>& other, Choose&& choice) {
  if (other) mine = mine ? choice(*mine, *other) : *other;
}

Picoseconds earlier(Picoseconds a, Picoseconds b) { return std::min(a, b); }
Picoseconds later(Picoseconds a, Picoseconds b) { return std::max(a, b); }

}  // namespace

template <class Archive>
void serialize(Archive& archive, OptwebRow& r) {
  archive(r.nodes, r.parts, r.expected, r.unfenced, r.first_started, r.started, r.begun, r.sent, r.received,
          r.completed, r.first_completed, r.busiest, r.bytes, r.rendezvous);
}

template <class Archive>
void serialize(Archive& archive, OptwebTransfers& t) {
  archive(t.latency, t.words);
}

template <class Archive>
void serialize(Archive& archive, OptwebHostEvent& e) {
  archive(e.number, e.node, e.opened, e.over);
}

void OptwebRow::add(const OptwebRow& other) {
  if (other.parts == 0) return;
  const bool first = parts == 0;
  first_started = first ? other.first_started : std::min(first_started, other.first_started);
  first_completed = first ? other.first_completed : std::min(first_completed, other.first_completed);
  nodes += other.nodes;
  parts += other.parts;
  unfenced += other.unfenced;
  started = std::max(started, other.started);
  completed = std::max(completed, other.completed);
  choose(begun, other.begun, earlier);
  choose(sent, other.sent, later);
  choose(received, other.received, later);
  busiest = std::max(busiest, other.busiest);
  bytes += other.bytes;
  rendezvous = rendezvous || other.rendezvous;
}

std::string OptwebStats::numbers() const {
  std::ostringstream out;
  cereal::BinaryOutputArchive to(out);
  std::vector<std::optional<Picoseconds>> completed;
  for (const NodeState& n : nodes_) completed.push_back(n.completed);
  to(rows_, host_, transfers_, pairs_, executed_, deliveries_, bytes_, buffered_, completed);
  return std::move(out).str();
}

void OptwebStats::collect(const std::vector<std::string>& all) {
  for (OptwebRow& r : rows_) {
    const std::uint32_t expected = r.expected;
    r = {};
    r.expected = expected;
  }
  host_.clear();
  transfers_ = {};
  pairs_.assign(pairs_.size(), {});
  executed_ = deliveries_ = bytes_ = buffered_ = 0;
  for (const std::string& text : all) {
    OptwebStats other({}, 0);
    std::vector<std::optional<Picoseconds>> completed;
    std::istringstream in(text);
    cereal::BinaryInputArchive from(in);
    from(other.rows_, other.host_, other.transfers_, other.pairs_, other.executed_, other.deliveries_, other.bytes_,
         other.buffered_, completed);
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].add(other.rows_.at(i));
    host_.insert(host_.end(), other.host_.begin(), other.host_.end());
    for (std::size_t t = 0; t < transfers_.size(); ++t) {
      transfers_[t].latency.add(other.transfers_[t].latency);
      transfers_[t].words += other.transfers_[t].words;
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) pairs_[p] += other.pairs_.at(p);
    executed_ += other.executed_;
    deliveries_ += other.deliveries_;
    bytes_ += other.bytes_;
    buffered_ += other.buffered_;
    for (std::size_t n = 0; n < nodes_.size(); ++n) choose(nodes_[n].completed, completed.at(n), later);
  }
  std::sort(host_.begin(), host_.end(), [](const OptwebHostEvent& a, const OptwebHostEvent& b) {
    return a.over != b.over ? a.over < b.over : a.number < b.number;
  });
}

}  // namespace weft
