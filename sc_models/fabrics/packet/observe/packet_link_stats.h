#pragma once
// Use of every link of a packet network in the measurement window, and flits in the buffers of every switch.

#include <cstdint>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/observe/packet_links.h"
#include "network/graph.h"
#include "observe/statistic.h"
#include "observe/window.h"

namespace weft {

class PacketLinkStats final : public PacketObserver, public WindowedStats {
 public:
  PacketLinkStats(const Graph& graph, Window window)
      : graph_(graph), window_(window), link_flits_(graph.link_count()) {}

  /// From now on buffers are counted, too: a flit is in a switch from its arrival at the end of a link until it is on
  /// the next one. Of networks whose messages leave switches in one piece and are not lost in them.
  void count_buffers(PacketLinks links);

  bool wants_hops() const override { return true; }
  bool wants_ends() const override { return false; }
  void on_inject(const PacketMessage& message) override;
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) override;
  void expect_hop(SwitchId sw, PortId out) const override;

  void measure_from(Cycle first) override;
  void measure_until(Cycle last) override { window_.last = last; }
  void close(Cycle now) override;

  std::uint64_t flit_hops() const { return flit_hops_; }        ///< of the whole run
  std::uint64_t message_hops() const { return message_hops_; }  ///< likewise
  /// All numbers, to be added to those of other parts of the network.
  std::vector<std::uint64_t> numbers() const;
  void set_numbers(const std::vector<std::uint64_t>& numbers);
  /// Every directed link that carried something.
  Table links() const;
  /// Mean flits in the buffers of each switch; empty: they are not counted, or there is no time.
  std::vector<double> occupancy() const;

 private:
  /// Flits that have come less those that have gone, each of them once, and times its cycle.
  struct Level {
    std::int64_t flits = 0;
    std::int64_t cycles = 0;
  };
  void arrive(LinkId link, std::uint32_t flits, Cycle first) {
    const PacketLinks::Link& way = ways_[link];
    if (way.to != kNoId) change(way.to, 1, flits, first + way.delay);
  }
  // Apart, so that links alone cost no more registers.
  [[gnu::noinline]] void count_injected(LinkId link, const PacketMessage& message) {
    arrive(link, message.flits, message.sent());
  }
  [[gnu::noinline]] void count_hop(SwitchId sw, LinkId link, std::uint32_t flits, Cycle first) {
    change(sw, -1, flits, first);
    arrive(link, flits, first);
  }
  [[gnu::noinline]] void count_at_edge(SwitchId sw, std::int64_t sign, std::uint32_t flits, Cycle first);
  void change(SwitchId sw, std::int64_t sign, std::uint32_t flits, Cycle first) {
    if (first < window_.first || first > window_.last - flits) [[unlikely]]
      return count_at_edge(sw, sign, flits, first);
    const std::int64_t n = sign * static_cast<std::int64_t>(flits);
    levels_[sw].flits += n;
    levels_[sw].cycles += n * first + sign * (static_cast<std::int64_t>(flits) * (flits - 1) / 2);
  }

  const Graph& graph_;
  Window window_;
  std::vector<std::int64_t> link_flits_;  // per directed link, in the window
  std::uint64_t flit_hops_ = 0;
  std::uint64_t message_hops_ = 0;
  PacketLinks ways_;           // of count_buffers()
  std::vector<Level> levels_;  // per switch; empty: buffers are not counted
};

}  // namespace weft
