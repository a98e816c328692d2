#pragma once
// Use of every link of a packet network in the measurement window.

#include <cstdint>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "network/graph.h"
#include "observe/statistic.h"
#include "observe/window.h"

namespace weft {

class PacketLinkStats final : public PacketObserver, public WindowedStats {
 public:
  PacketLinkStats(const Graph& graph, Window window)
      : graph_(graph), window_(window), link_flits_(graph.link_count()) {}

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

 private:
  const Graph& graph_;
  Window window_;
  std::vector<std::int64_t> link_flits_;  // per directed link, in the window
  std::uint64_t flit_hops_ = 0;
  std::uint64_t message_hops_ = 0;
};

}  // namespace weft
