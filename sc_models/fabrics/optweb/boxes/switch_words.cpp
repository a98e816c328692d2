// Ports of the boxes of a distributed switch: the order in which those that words pass are bound, the signals between
// them, and what own boxes make of the bytes.

#include "fabrics/optweb/distributed_switch.h"

namespace weft {

void DistributedSwitch::bind_words() {
  dmac_.readers().out.bind(modules_.sent.bind(*modules_.distributors));
  modules_.distributors->out.bind(*modules_.selectors);
  modules_.selectors->out.bind(*modules_.sent_counters);
  modules_.sent_counters->out.bind(*modules_.gate);

  modules_.buffers->out.bind(*modules_.crossbar);
  modules_.crossbar->out.bind(modules_.received.bind(*modules_.reduction));
  modules_.reduction->out.bind(*modules_.received_counters);
  modules_.received_counters->out.bind(dmac_.writers());
}

void DistributedSwitch::bind_signals() {
  links_.words.bind(*modules_.buffers);
  links_.notifications.bind(*modules_.notifications);
  link_notifications.bind(links_);
  modules_.notifications->comes.bind(*this);
  modules_.notifications->out.bind(*modules_.gate);
  modules_.gate->out.bind(links_);
  modules_.gate->control.bind(*this);
  modules_.buffers->comes.bind(*this);
  modules_.sent_counters->done.bind(sent_counted_);
  modules_.received_counters->done.bind(received_counted_);
}

WordRoute DistributedSwitch::route_of(const ReaderStream& r) {
  outputs_.clear();
  std::uint32_t receivers = 0;
  for (const NodeId n : r.stream.to) {
    outputs_.push_back(port(n));
    receivers += plan_.rendezvous && n != node_ ? 1 : 0;
  }
  return {r.stream.reader, outputs_, r.words, false, receivers};
}

// All streams of an instruction begin together, so the longest one speaks for them.
PassingWords DistributedSwitch::sent_words() const {
  PassingWords out;
  out.from = node_;
  out.number = number();
  for (const ReaderStream& r : plan_.readers) {
    if (r.words <= out.words) continue;
    out.words = r.words;
    out.bytes = r.stream.bytes;
  }
  return out;
}

PassingWords DistributedSwitch::received_words(const WriterStream& w) const {
  PassingWords out;
  out.from = w.receive.from;
  out.number = number();
  out.words = w.words;
  out.bytes = w.receive.bytes;
  out.reduced = plan_.reduction.has_value();
  if (out.reduced) out.streams = plan_.writers.size();
  out.writer = w.receive.writer;
  return out;
}

void DistributedSwitch::pass_sent(const ReaderStream& r, OptwebTrain& train) {
  if (modules_.sent.empty()) return;
  PassingWords words = sent_words();
  words.words = r.words;
  words.bytes = r.stream.bytes;
  words.reader = r.stream.reader;
  train.changed = carried(*dmac_.readers().out[0], words, *train.memory, train.address, parameters_.stop);
  train.memory = train.changed.get();
  train.address = 0;
}

void DistributedSwitch::pass_received(const WriterStream& w, OptwebTrain& train) {
  if (modules_.received.empty() || train.memory == nullptr) return;
  train.changed = carried(*buffers->out[0], received_words(w), *train.memory, train.address, parameters_.stop);
  train.memory = train.changed.get();
  train.address = 0;
}

}  // namespace weft
