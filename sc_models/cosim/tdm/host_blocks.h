#pragma once
// Interfaces of hosts that have the RTL inside, alone or beside the model.

#include <memory>
#include <unordered_map>
#include <vector>

#include "cosim/common/lockstep_counts.h"
#include "cosim/tdm/host_driver.h"

namespace weft {

/// What both have in common: tables and arrivals go to the driver.
class HostWithRtl : public HostInterface {
 public:
  bool has_tables() const override { return true; }
  void preset(const HostTables& tables) override { driver_.preset(tables); }
  void load(Cycle now, const HostTables& tables, Cycle cycles_per_slot) override {
    driver_.load(now, tables, cycles_per_slot);
  }
  void swap(Cycle now, Cycle boundary) override { driver_.swap(now, boundary); }
  void arrive(Cycle now, PortId link, const Train& train) override { driver_.arrive(now, link, train); }
  void arrive_cut(PortId link, const TrainCut& cut) override { driver_.arrive_cut(link, cut); }
  HostRtlDriver& driver() { return driver_; }

 protected:
  /// `difference`: beginning of messages about another word than the right one.
  HostWithRtl(const HostSite& site, HostInterfaceClient& client, std::unique_ptr<HostInterfaceRtl> core,
              const char* difference);
  virtual void outputs(Cycle now) = 0;
  virtual void cycle(Cycle now) = 0;
  /// Throws RunError if the block shows something else on a link than the word that arrives there.
  void check_arrival(Cycle now, std::uint32_t link) const;
  [[noreturn]] void differ(Cycle now, const char* side, std::uint32_t link, const HostWord& due,
                           const HostWord& shown) const;

  HostInterfaceClient& client_;
  HostRtlDriver driver_;

 private:
  const char* difference_;
};

/// The RTL drives the network: words on its pins become trains, and a message has arrived when it says so.
class RtlHostInterface final : public HostWithRtl {
 public:
  RtlHostInterface(const HostSite& site, HostInterfaceClient& client, std::unique_ptr<HostInterfaceRtl> core);

  void begin(Cycle now, const HostMessage& message) override;
  void due(Cycle now, std::uint32_t token) override { driver_.due(now, token); }

 private:
  // Words announced on a link in a slot.
  struct Lane {
    MessageId message = 0;
    std::uint32_t next = 0;  // word
    std::uint32_t words = 0;
  };
  struct Sending {
    HostMessage message;
    std::uint32_t next = 0;
    Cycle free_at = 0;  // promised
  };
  void outputs(Cycle now) override;
  void cycle(Cycle now) override;
  void leaves(Cycle now, std::uint32_t link, const HostWord& word);

  std::vector<Lane> lanes_;                          // per link and slot
  std::unordered_map<CircuitId, Sending> sending_;   // at the heads of their queues
  std::unordered_map<CircuitId, Cycle> first_word_;  // of what arrives
  std::vector<Cycle> seen_;                          // per link: last cycle whose word has been taken
};

/// The model drives the network, the RTL must show the same words in every cycle.
class LockstepHostInterface final : public HostWithRtl, private HostInterfaceClient {
 public:
  LockstepHostInterface(const HostSite& site, HostInterfaceClient& client, std::unique_ptr<HostInterfaceRtl> core,
                        LockstepCount& count);

  void begin(Cycle now, const HostMessage& message) override;
  void arrive(Cycle now, PortId link, const Train& train) override;
  void arrive_cut(PortId link, const TrainCut& cut) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  struct Sent {
    Train train;  // words == 0: none
    CircuitId circuit = kNoId;
    std::uint32_t words = 0;  // of its message
  };
  void outputs(Cycle) override {}
  void cycle(Cycle now) override;
  HostWord expected(Cycle now, std::uint32_t link) const;
  void depart(Cycle now, std::uint32_t sender, std::uint32_t link, const Train& train) override;
  void left(std::uint32_t sender, Cycle free_at) override { client_.left(sender, free_at); }
  void received(Cycle now, MessageId message, Cycle first_arrival) override {
    client_.received(now, message, first_arrival);
  }
  void wake(Cycle at, Phase phase, std::uint32_t token) override { client_.wake(at, phase, token); }

  std::vector<Sent> sent_;  // per link and slot: what the model sends there
  const HostMessage* beginning_ = nullptr;
  ModelHostInterface model_;
  LockstepCount& count_;
};

}  // namespace weft
