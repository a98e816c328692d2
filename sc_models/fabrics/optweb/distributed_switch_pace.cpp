// Pace of the streams of a distributed switch, and what happens when the memory changes it.

#include <algorithm>

#include "fabrics/optweb/distributed_switch.h"

namespace weft {

// Of bus and link, as far as its words pass them.
optweb::WordRate DistributedSwitch::path_pace(const ReaderStream& r) const {
  const bool over_links = std::any_of(r.stream.to.begin(), r.stream.to.end(), [&](NodeId n) { return n != node_; });
  return over_links && parameters_.link.slower_than(parameters_.bus) ? parameters_.link : parameters_.bus;
}

// The slowest of what its words pass: bus, memory interface, link.
optweb::WordRate DistributedSwitch::stream_pace(const ReaderStream& r) const {
  const optweb::WordRate path = path_pace(r);
  const optweb::WordRate memory = dmac_.readers().pace(r);
  return memory.slower_than(path) ? memory : path;
}

// The slower of bus and memory interface.
optweb::WordRate DistributedSwitch::memory_pace(const ReaderStream& r) const {
  const optweb::WordRate memory = dmac_.readers().pace(r);
  return memory.slower_than(parameters_.bus) ? memory : parameters_.bus;
}

// What is left of a stream goes on at another pace.
void DistributedSwitch::turn(std::uint32_t reader, Cycle now) {
  const ReaderStream& r = plan_.readers[reader];
  const optweb::WordRate pace = stream_pace(r);
  if (boxes_.wanted()) record_turn(reader, now);
  if (parameters_.fifo) {
    Feed& f = feeds_[reader];
    f.words.turn(now, least_passed(f, now), parameters_.units.rate(memory_pace(r)));
  }
  dmac_.readers().out->turn(route_of(r), now, pace);
  const Cycle end = stream_end(reader, now);
  if (end >= stream_due_[reader]) return;
  stream_due_[reader] = end;
  clock_.schedule(end, Phase::transfer, *this, token(kEnd, reader));
}

void DistributedSwitch::memory_changed(std::uint32_t stripe) {
  if (!busy() || !paths_set_) return;
  const Cycle now = clock_.now();
  for (std::uint32_t i = 0; i < plan_.readers.size(); ++i) {
    if (plan_.readers[i].stream.reader == stripe && stream_due_[i] >= 0) turn(i, now);
  }
  for (const WriterStream& w : plan_.writers) {
    if (w.receive.writer == stripe) redrain(w, now);
  }
}

}  // namespace weft
