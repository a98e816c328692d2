// Transmit FIFOs of the serial-link IPs (link.serial.fifo): words of a reader enter them at the pace of its memory
// until the fullest one is full, and leave as the lane takes them. The lane is the same as without them; the reader
// hands its last word over earlier.

#include <algorithm>

#include "fabrics/optweb/distributed_switch.h"

namespace weft {

// Words that the node itself gets as well come at the pace of the links, so that both have them at a time.
void DistributedSwitch::feed(std::uint32_t reader, Cycle now) {
  const ReaderStream& r = plan_.readers[reader];
  std::vector<std::uint32_t> ports;
  for (const NodeId n : r.stream.to) {
    if (n != node_) ports.push_back(port(n));
  }
  const bool coupled = ports.size() < r.stream.to.size();
  feeds_.push_back({optweb::FifoFeed(*parameters_.fifo, parameters_.units, r.words, now, memory_pace(r), coupled),
                    std::move(ports)});
  stream_due_[reader] = std::min(stream_due_[reader], stream_end(reader, now));
}

// Of all its links, the one that is behind the others.
optweb::WideInteger DistributedSwitch::least_passed(const Feed& feed, Cycle at) const {
  if (feed.ports.empty()) return 0;
  optweb::WideInteger least = links_.link(feed.ports.front())->units_by(at);
  for (const std::uint32_t p : feed.ports) least = std::min(least, links_.link(p)->units_by(at));
  return least;
}

// Boundary at which the last word enters the FIFOs, as far as is known now.
Cycle DistributedSwitch::feed_end(std::uint32_t reader, Cycle now) const {
  const Feed& f = feeds_[reader];
  if (f.words.entered(now, least_passed(f, now)) >= f.words.all()) return now;
  Cycle end = f.words.offered();
  const optweb::WideInteger passed = parameters_.fifo->passed_for(f.words.all());
  for (const std::uint32_t p : f.ports) {
    if (passed > 0) end = std::max(end, links_.link(p)->units_at(passed));
  }
  return std::max(end, now + 1);
}

// Boundary at which a reader hands its last word over.
Cycle DistributedSwitch::stream_end(std::uint32_t reader, Cycle now) const {
  const ReaderStream& r = plan_.readers[reader];
  if (parameters_.fifo && !feeds_[reader].words.coupled()) return feed_end(reader, now);
  Cycle end = now;
  for (const NodeId n : r.stream.to) end = std::max(end, links_.end(port(n)));
  return end;
}

// Words in the FIFOs leave at the pace of the link, whatever that of the memory was.
void DistributedSwitch::feed_ends(std::uint32_t reader, Cycle now) {
  const ReaderStream& r = plan_.readers[reader];
  for (const NodeId n : r.stream.to) {
    if (n == node_) continue;
    most_fed_[port(n)] = std::max(most_fed_[port(n)], fifo_words(n));
  }
  if (!feeds_[reader].words.coupled()) dmac_.readers().out->turn(route_of(r), now, path_pace(r));
}

std::uint64_t DistributedSwitch::fifo_words(NodeId peer) const {
  const std::uint32_t p = port(peer);
  const Cycle now = clock_.now();
  for (const Feed& f : feeds_) {
    if (std::find(f.ports.begin(), f.ports.end(), p) == f.ports.end()) continue;
    return parameters_.fifo->used(f.words.entered(now, least_passed(f, now)), links_.link(p)->units_by(now));
  }
  return 0;
}

}  // namespace weft
