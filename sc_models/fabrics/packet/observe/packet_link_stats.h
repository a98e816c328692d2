#pragma once
// Use of every link of a packet network in the measurement window, and flits in the buffers of every switch.
//
// A flit is in a switch from its arrival at the end of one link until it is on the next one, so the occupancy of a
// switch over the window follows from the cycles in which flits were on its links: what comes in by a link is what was
// sent on it, a link delay later. Messages that lie within the window on both sides of their link therefore cost one
// sum per link; the few at its edges are corrected per switch, flit by flit.

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
  PacketLinkStats(const Graph& graph, Window window);

  /// From now on buffers are counted, too. Of networks whose messages leave switches in one piece and are not lost in
  /// them.
  void count_buffers(PacketLinks links);

  bool wants_hops() const override { return true; }
  bool wants_ends() const override { return false; }
  void on_inject(const PacketMessage& message) override;
  void on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) override;
  void expect_hop(SwitchId sw, PortId out) const override;

  void measure_from(Cycle first) override;
  void measure_until(Cycle last) override { set_window({window_.first, last}); }
  void close(Cycle now) override;

  std::uint64_t flit_hops() const;                              ///< of the whole run
  std::uint64_t message_hops() const { return message_hops_; }  ///< likewise
  /// All numbers, to be added to those of other parts of the network.
  std::vector<std::uint64_t> numbers() const;
  void set_numbers(const std::vector<std::uint64_t>& numbers);
  /// Every directed link that carried something.
  Table links() const;
  /// Mean flits in the buffers of each switch; empty: they are not counted, or there is no time.
  std::vector<double> occupancy() const;

 private:
  /// Flits, and the sum of their cycles. Of a switch: those that have come less those that have gone.
  struct Sum {
    std::int64_t flits = 0;
    std::int64_t cycles = 0;
    void add(std::int64_t n, Cycle cycle) {
      flits += n;
      cycles += n * cycle;
    }
  };
  struct Link {
    std::int64_t flits = 0;          ///< on it in the window
    std::int64_t double_cycles = 0;  ///< twice the sum of their cycles
    std::int64_t earlier = 0;        ///< flits that have arrived before the window
  };
  void carry(LinkId link, SwitchId from, std::uint32_t flits, Cycle first) {
    Link& sums = links_[link];
    if (first < window_.first || first > sure_ - flits) [[unlikely]] {
      if (first + flits > window_.first - longest_delay_) return carry_at_edge(link, from, flits, first);
      sums.earlier += flits;
      return;
    }
    sums.flits += flits;
    sums.double_cycles += static_cast<std::int64_t>(flits) * (2 * first + flits - 1);
  }
  [[gnu::noinline]] void carry_at_edge(LinkId link, SwitchId from, std::uint32_t flits, Cycle first);
  /// A flit comes into a switch or leaves it. Before the window it counts as if it did so with it, after it not at all.
  void change(SwitchId sw, std::int64_t sign, Cycle cycle);
  void set_window(Window window);
  /// Of every switch: with what its links tell.
  std::vector<Sum> levels() const;

  const Graph& graph_;
  Window window_;
  Cycle sure_ = 0;                     // what is sent before it arrives within the window
  Cycle longest_delay_ = 0;            // of a link
  std::vector<Link> links_;            // per directed link
  std::uint64_t other_flit_hops_ = 0;  // which links_ do not hold
  std::uint64_t message_hops_ = 0;
  PacketLinks ways_;        // of count_buffers()
  std::vector<Sum> edges_;  // per switch: what its links do not tell; empty: buffers are not counted
};

}  // namespace weft
