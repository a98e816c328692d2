#pragma once
// Flits on every link of a network of iq routers in the measurement window, and in each window of a profile.
//
// Flits of a packet leave a router one by one, so when they are on a link does not follow from what observers are told
// of packets; and a router that told of every flit would be slower. Routers and NICs count what they send by each link
// (IqRouterModule::sent(), IqNic::sent()), and the counts are read where a window begins and ends: earlier by the
// cycles from the count until the flit is on the link, so that every flit is in the window in which it is on the link.
// Only a window that is closed before its end was known, of a run that is interrupted or fails, has all flits counted
// until then.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/iq/iq_network.h"
#include "network/graph.h"
#include "observe/profile/network_profile.h"
#include "observe/window.h"

namespace weft {

class IqLinkStats final : public Agent, public WindowedStats, public PacketObserver {
 public:
  /// References must outlive it. It counts from the first measure_from() on.
  IqLinkStats(IqNetwork& network, const Graph& graph);
  /// The windows of a profile are counted, too. Before time begins.
  void record(NetworkProfile& profile);

  void measure_from(Cycle first) override;
  void measure_until(Cycle last) override;
  void close(Cycle now) override;
  void due(Cycle now, std::uint32_t token) override;

  bool wants_ends() const override { return false; }
  void on_inject(const PacketMessage&) override;

  /// Sent by the outputs of routers in the whole run.
  std::uint64_t flit_hops() const { return flit_hops_.value_or(network_.flit_hops()); }
  /// All numbers, to be added to those of other parts of the network.
  std::vector<std::uint64_t> numbers() const;
  void set_numbers(const std::vector<std::uint64_t>& numbers);
  const Window& window() const { return window_; }
  /// On a directed link in the window.
  std::uint64_t flits(LinkId link) const { return flits_[link]; }

 private:
  /// Senders whose flits are on their links the same number of cycles after they have been counted.
  struct Group {
    Cycle ahead = 0;  ///< that number
    bool nics = false;
    std::vector<SwitchId> routers{};
    std::optional<Cycle> counted{};  ///< all flits that are on their links before this cycle; none before the window
    bool asleep = false;             ///< nothing is due before the next packet
  };
  Group& group_of(Cycle ahead);
  template <class Visit>
  void each_count(const Group& group, Visit&& visit) const;
  void begin(Group& group);
  void count(Group& group, Cycle until);
  Cycle next_edge(const Group& group) const;
  void skip_edges(Group& group, Cycle before);
  void plan(Group& group);
  void schedule(const Group& group, Cycle edge);

  IqNetwork& network_;
  const Graph& graph_;
  const bool whole_;  // of a part of a network nobody here knows whether it is empty
  NetworkProfile* profile_ = nullptr;
  Window window_;
  std::uint32_t turn_ = 0;  // what was planned for an earlier measurement is over
  std::vector<Group> groups_;
  std::vector<std::uint64_t> before_;       // per directed link: its count when it was read last
  std::vector<std::uint64_t> flits_;        // per directed link, in the window
  std::optional<std::uint64_t> flit_hops_;  // of all parts
};

}  // namespace weft
