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

}  // namespace

void MemoryCrossbars::read(std::uint64_t address, std::uint64_t words) {
  for_each_interface(*parameters_.config, address, words,
                     [&](std::uint32_t i, std::uint64_t n) { interfaces_.count_read(i, n); });
}

void MemoryCrossbars::written(std::uint64_t address, std::uint64_t words) {
  for_each_interface(*parameters_.config, address, words,
                     [&](std::uint32_t i, std::uint64_t n) { interfaces_.count_write(i, n); });
}

void MemoryCrossbars::reader_opens(std::uint32_t stripe, std::uint8_t interfaces) {
  stripes_[stripe].reader = interfaces;
  tell_host(stripe);
}

void MemoryCrossbars::reader_closes(std::uint32_t stripe) {
  stripes_[stripe].reader = 0;
  tell_host(stripe);
}

void MemoryCrossbars::writer_opens(std::uint32_t stripe, std::uint8_t interfaces, Cycle from) {
  Stripe& s = stripes_[stripe];
  s.writer = interfaces;
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

void MemoryCrossbars::host_opens(std::uint32_t interface, Cycle now) {
  Stripe& s = stripes_[interface / 2];
  s.host = static_cast<std::uint8_t>(1U << interface % 2);
  // Of those that are over, the ones since a writer has opened it are still needed.
  if (s.writer == 0 || s.writer_to <= now) s.spans.clear();
  s.spans.push_back({s.host, now, HostSpan::kOpen});
  if (streams_ != nullptr) streams_->memory_changed(interface / 2);
}

void MemoryCrossbars::host_closes(std::uint32_t interface, Cycle now) {
  Stripe& s = stripes_[interface / 2];
  s.host = 0;
  s.spans.back().to = now;
  if (streams_ != nullptr) streams_->memory_changed(interface / 2);
}

Hbm::Hbm(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeId node)
    : sc_module(name),
      bytes_(2 * parameters.config->interface_bytes * parameters.config->stripes, parameters.config->seed, node),
      interfaces_("interfaces", parameters),
      crossbars_("crossbars", parameters, interfaces_) {}

}  // namespace weft
