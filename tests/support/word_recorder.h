#pragma once
// Expands the trains a network tells its observers about into single words, cuts included.

#include <map>
#include <tuple>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "reference/tdm_oracle.h"

namespace weft::test {

class WordRecorder final : public TdmObserver {
 public:
  explicit WordRecorder(std::uint32_t slots) : slots_(slots) {}

  bool wants_hops() const override { return true; }
  void on_phase(std::size_t /*phase*/, Cycle data_start) override { data_starts_.push_back(data_start); }
  void on_hop(SwitchId sw, PortId out, const Train& train) override;
  void on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) override;
  void on_deliver(const DeliveryEvent& event) override { deliveries_.push_back(event); }

  /// Every word that left an output, in the order of cycle, switch, port.
  std::vector<oracle::Sent> words() const;
  const std::vector<DeliveryEvent>& deliveries() const { return deliveries_; }
  const std::vector<Cycle>& data_starts() const { return data_starts_; }

 private:
  struct Hop {
    SwitchId sw;
    PortId out;
    Train train;
  };
  std::uint32_t slots_;
  std::vector<Hop> hops_;
  std::map<std::tuple<SwitchId, PortId, Slot>, std::size_t> last_;  // newest train of an output slot
  std::vector<DeliveryEvent> deliveries_;
  std::vector<Cycle> data_starts_;
};

}  // namespace weft::test
