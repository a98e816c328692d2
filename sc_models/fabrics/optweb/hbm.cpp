#include "fabrics/optweb/hbm.h"

#include <algorithm>

namespace weft {
namespace {

// Words of a stream that lie in each of the interfaces it passes, in order.
template <class F>
void for_each_interface(const OptwebConfig& config, std::uint64_t address, std::uint64_t words, F&& f) {
  while (words > 0) {
    const std::uint64_t interface = address / config.interface_bytes;
    const std::uint64_t room = (interface + 1) * config.interface_bytes - address;
    const std::uint64_t here = std::min(words, (room + config.word_bytes - 1) / config.word_bytes);
    f(static_cast<std::uint32_t>(interface), here);
    words -= here;
    address += here * config.word_bytes;
  }
}

dram::Pace pace_of(const optweb::WordRate& rate) { return {rate.cycles, rate.words}; }

const optweb::WordRate& slower(const optweb::WordRate& a, const optweb::WordRate& b) {
  return a.slower_than(b) ? a : b;
}

}  // namespace

// Refreshes of the interfaces of a node follow each other evenly.
Hbm2Controllers::Hbm2Controllers(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeClock& clock)
    : sc_module(name), parameters_(parameters), clock_(clock) {
  if (parameters.config->hbm2) stripes_.resize(parameters.config->stripes);
}

// A train is announced in a cycle of its sender, in which a clock of the node's own need not have an edge.
Cycle Hbm2Controllers::present() const { return clock_.has_edge() ? clock_.now() : clock_.now() + 1; }

dram::MemoryPorts& Hbm2Controllers::ports(std::uint32_t stripe) {
  Stripe& s = stripes_[stripe];
  if (s.ports != nullptr) return *s.ports;
  const OptwebConfig& c = *parameters_.config;
  const dram::Tick interval = c.hbm2->timing.refi;
  const std::int64_t interfaces = std::int64_t{2} * c.stripes;
  const dram::Tick first = (2 * std::int64_t{stripe} + 1) * interval / interfaces;
  const dram::Tick second = (2 * std::int64_t{stripe} + 2) * interval / interfaces;
  s.ports = std::make_unique<dram::MemoryPorts>(*c.hbm2, c.period, c.interface_bytes, parameters_.latency().read,
                                                std::array{first, second});
  if (watched_) s.ports->watch();
  return *s.ports;
}

dram::Use Hbm2Controllers::use_of(const MemoryStream& stream) const {
  dram::Use use;
  use.address = stream.address % (2 * parameters_.config->interface_bytes);
  use.words = stream.words;
  use.start = stream.start;
  return use;
}

void Hbm2Controllers::open(dram::Port port, std::uint32_t stripe, const MemoryStream& stream,
                           const optweb::WordRate& turns, bool write) {
  if (!modelled()) return;
  dram::Use use = use_of(stream);
  use.write = write;
  use.ahead = port == dram::Port::writer ? 1 : 0;  // its first word is there when it opens
  use.pace = pace_of(slower(stream.path, turns));
  use.fastest = pace_of(turns);
  const Cycle now = present();
  ports(stripe).open(port, use, now);
  if (port == dram::Port::writer) stripes_[stripe].writer_limits.clear();
  changed(stripe, now);
}

void Hbm2Controllers::ask(std::uint32_t stripe, const MemoryStream& stream, Cycle at) {
  if (!modelled()) return;
  dram::Use use = use_of(stream);
  use.start = dram::Use::kLater;
  use.asked = at;
  use.dropped = 1;  // the first word of a run is none of the data
  const Cycle now = present();
  ports(stripe).open(dram::Port::reader, use, now);
  changed(stripe, now);
}

void Hbm2Controllers::start(std::uint32_t stripe, const MemoryStream& stream, const optweb::WordRate& turns) {
  if (!modelled()) return;
  const Cycle now = present();
  ports(stripe).start(dram::Port::reader, stream.start, pace_of(slower(stream.path, turns)), now);
  changed(stripe, now);
}

void Hbm2Controllers::set_turns(dram::Port port, std::uint32_t stripe, const optweb::WordRate& path,
                                const optweb::WordRate& turns) {
  if (!modelled() || stripes_[stripe].ports == nullptr) return;
  const Cycle now = present();
  stripes_[stripe].ports->set_pace(port, pace_of(slower(path, turns)), pace_of(turns), now);
  changed(stripe, now);
}

void Hbm2Controllers::close(dram::Port port, std::uint32_t stripe) {
  if (!modelled() || stripes_[stripe].ports == nullptr) return;
  const Cycle now = present();
  stripes_[stripe].ports->close(port, now);
  changed(stripe, now);
}

std::optional<optweb::WordRate> Hbm2Controllers::limit(dram::Port port, std::uint32_t stripe) const {
  if (!modelled() || stripes_[stripe].ports == nullptr) return std::nullopt;
  const auto& limit = stripes_[stripe].ports->limit(port);
  if (!limit) return std::nullopt;
  return optweb::WordRate{limit->pace.cycles, limit->pace.words};
}

dram::MemoryPorts::ChannelView Hbm2Controllers::view(std::uint32_t interface) {
  if (!modelled() || stripes_[interface / 2].ports == nullptr) return {};
  return stripes_[interface / 2].ports->view(interface % 2, clock_.now());
}

// The memory has been planned anew from `now` on.
void Hbm2Controllers::changed(std::uint32_t stripe, Cycle now) {
  Stripe& s = stripes_[stripe];
  if (!s.writer_limits.empty()) s.writer_limits.back().to = std::min(s.writer_limits.back().to, now);
  std::erase_if(s.writer_limits, [](const MemoryLimit& l) { return l.from >= l.to; });
  if (const auto& l = s.ports->limit(dram::Port::writer)) {
    s.writer_limits.push_back({l->since, l->until, {l->pace.cycles, l->pace.words}});
  }
  bool told = true;
  for (const dram::Port p : {dram::Port::reader, dram::Port::writer, dram::Port::host}) {
    told = told && s.told[static_cast<std::size_t>(p)] == s.ports->limit(p);
  }
  if (!told) {
    look(stripe, now);
  } else if (s.ports->busy()) {
    look(stripe, s.ports->chunk_end());
  }
}

// In the last phase of a cycle, so that the order in which streams open in it does not count.
void Hbm2Controllers::look(std::uint32_t stripe, Cycle at) {
  Stripe& s = stripes_[stripe];
  if (s.look == at) return;
  s.look = at;
  clock_.schedule(at, Phase::settle, *this, stripe);
}

void Hbm2Controllers::due(Cycle, std::uint32_t stripe) {
  Stripe& s = stripes_[stripe];
  const Cycle now = clock_.now();
  if (s.look != now) return;
  s.look = -1;
  s.ports->proceed(now);
  for (const dram::Port p : {dram::Port::reader, dram::Port::writer, dram::Port::host}) {
    s.told[static_cast<std::size_t>(p)] = s.ports->limit(p);
  }
  changed(stripe, now);
  if (streams_ != nullptr) streams_->memory_changed(stripe);
  if (host_ != nullptr) host_->memory_changed(stripe);
}

void MemoryCrossbars::read(std::uint64_t address, std::uint64_t words) {
  for_each_interface(*parameters_.config, address, words,
                     [&](std::uint32_t i, std::uint64_t n) { interfaces_.count_read(i, n); });
}

void MemoryCrossbars::written(std::uint64_t address, std::uint64_t words) {
  for_each_interface(*parameters_.config, address, words,
                     [&](std::uint32_t i, std::uint64_t n) { interfaces_.count_write(i, n); });
}

void MemoryCrossbars::reader_opens(std::uint32_t stripe, std::uint8_t interfaces, const MemoryStream& stream) {
  Stripe& s = stripes_[stripe];
  s.reader = interfaces;
  s.read = stream;
  controllers_.start(stripe, stream, pace(stream.shared, host_has(stripe, interfaces)));
  tell_host(stripe);
}

void MemoryCrossbars::reader_closes(std::uint32_t stripe) {
  stripes_[stripe].reader = 0;
  tell_host(stripe);
}

void MemoryCrossbars::writer_opens(std::uint32_t stripe, std::uint8_t interfaces, const MemoryStream& stream) {
  Stripe& s = stripes_[stripe];
  const Cycle from = stream.start;
  s.writer = interfaces;
  s.written = stream;
  controllers_.open(dram::Port::writer, stripe, stream, pace(stream.shared, host_has(stripe, interfaces)), true);
  s.writer_from = from;
  s.writer_to = HostSpan::kOpen;
  std::erase_if(s.spans, [&](const HostSpan& h) { return h.to <= from; });
  tell_host(stripe);
}

void MemoryCrossbars::writer_closes(std::uint32_t stripe, Cycle at) {
  stripes_[stripe].writer_to = at;
  tell_host(stripe);
}

HostMemoryIf::Share MemoryCrossbars::share(std::uint32_t interface, Cycle now) const {
  const Stripe& s = stripes_[interface / 2];
  const int bit = 1 << interface % 2;
  Share out;
  if ((s.reader & bit) != 0) ++out.sharers;
  if ((s.writer & bit) == 0 || now >= s.writer_to) return out;
  if (now >= s.writer_from) ++out.sharers;
  out.until = now >= s.writer_from ? s.writer_to : s.writer_from;
  return out;
}

// The turns of R#i and W#i, with or without the host.
void MemoryCrossbars::set_turns(std::uint32_t stripe) {
  const Stripe& s = stripes_[stripe];
  controllers_.set_turns(dram::Port::reader, stripe, s.read.path, pace(s.read.shared, host_has(stripe, s.reader)));
  controllers_.set_turns(dram::Port::writer, stripe, s.written.path,
                         pace(s.written.shared, host_has(stripe, s.writer)));
}

void MemoryCrossbars::host_opens(std::uint32_t interface, const MemoryStream& stream, bool write) {
  const std::uint32_t stripe = interface / 2;
  Stripe& s = stripes_[stripe];
  const Cycle now = stream.start;
  s.host = static_cast<std::uint8_t>(1U << interface % 2);
  // Of those that are over, the ones since a writer has opened it are still needed.
  if (s.writer == 0 || s.writer_to <= now) s.spans.clear();
  s.spans.push_back({s.host, now, HostSpan::kOpen});
  set_turns(stripe);
  controllers_.open(dram::Port::host, stripe, stream, interfaces_.pace(share(interface, now).sharers), write);
  if (streams_ != nullptr) streams_->memory_changed(stripe);
}

void MemoryCrossbars::host_closes(std::uint32_t interface, Cycle now) {
  Stripe& s = stripes_[interface / 2];
  s.host = 0;
  s.spans.back().to = now;
  controllers_.close(dram::Port::host, interface / 2);
  set_turns(interface / 2);
  if (streams_ != nullptr) streams_->memory_changed(interface / 2);
}

optweb::WordRate MemoryCrossbars::host_pace(std::uint32_t interface, std::int64_t sharers) {
  const optweb::WordRate turns = interfaces_.pace(sharers);
  controllers_.set_turns(dram::Port::host, interface / 2, turns, turns);
  const auto limit = controllers_.limit(dram::Port::host, interface / 2);
  return limit ? slower(*limit, turns) : turns;
}

Hbm::Hbm(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeClock& clock, NodeId node)
    : sc_module(name),
      bytes_(2 * parameters.config->interface_bytes * parameters.config->stripes, parameters.config->seed, node),
      interfaces_("interfaces", parameters),
      controllers_("controllers", parameters, clock),
      crossbars_("crossbars", parameters, interfaces_, controllers_) {}

}  // namespace weft
