#pragma once
// Parameters of the modules of an OPTWEB node, and names for their messages.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "algorithms/optweb/link_fifo.h"
#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/program.h"
#include "algorithms/optweb/word_rate.h"
#include "base/ids.h"
#include "fabrics/optweb/observer.h"
#include "kernel/observer_list.h"

namespace weft {

/// Names instructions in messages.
class OptwebNames {
 public:
  virtual ~OptwebNames() = default;
  /// "node 3, instruction 5 (allgather, file.yaml:12:5)"
  virtual std::string instruction(NodeId node, std::uint32_t number) const = 0;
  /// Ends of the instruction that are at `scratch`.
  virtual optweb::StagedEnds staged(NodeId node, std::uint32_t number) const = 0;
};

struct OptwebParameters {
  const OptwebConfig* config = nullptr;
  optweb::WordRate bus;    ///< a word per cycle
  optweb::WordRate link;   ///< of the payload
  Cycle link_latency = 0;  ///< from switch to switch, without an adapter
  Cycle longest_link = 0;  ///< the same of the longest link
  optweb::WordUnits units;
  std::optional<optweb::LinkFifo> fifo;             ///< of the serial-link IPs; none: words wait nowhere
  std::array<optweb::WordRate, 4> interface_paces;  ///< with one stream, two, three, four
  /// Asked while bytes move, empty: never. True: the run is to end, they need not get anywhere any more.
  std::function<bool()> stop;

  explicit OptwebParameters(const OptwebConfig& c)
      : config(&c),
        link(optweb::WordRate::of(std::int64_t{c.word_bytes} * 8, c.clock, c.link.rate)),
        link_latency(c.latencies.transmit + c.latencies.link_ip + c.link.propagation + c.latencies.receive_link),
        longest_link(link_latency + longest_adapter(c.adapter_delays)),
        units(optweb::WordUnits::of(std::int64_t{c.word_bytes} * 8, c.clock)) {
    if (c.has_fifos()) fifo.emplace(c.link.serial->fifo, units, link, c.clock, c.link.serial->clock);
    for (std::size_t i = 0; i < interface_paces.size(); ++i) {
      interface_paces[i] = optweb::WordRate::of(std::int64_t{c.word_bytes} * 8, c.clock, c.interface_rate,
                                                static_cast<std::int64_t>(i) + 1);
    }
  }
  const OptwebLatencies& latency() const { return config->latencies; }
  std::uint64_t words(std::uint64_t bytes) const { return (bytes + config->word_bytes - 1) / config->word_bytes; }
  /// Pace of a memory interface that `sharers` streams, 1 to 4, use at once.
  const optweb::WordRate& interface_pace(std::int64_t sharers) const {
    return interface_paces[static_cast<std::size_t>(sharers - 1)];
  }
};

}  // namespace weft
