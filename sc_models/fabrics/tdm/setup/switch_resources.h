#pragma once
// Slot LUT, slot table and links of one switch behind the interface that its setup unit uses.

#include <functional>
#include <string>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/setup/link_availability.h"
#include "fabrics/tdm/setup/switch_access.h"
#include "fabrics/tdm/setup/table_writer.h"

namespace weft {

class SwitchResources final : public SwitchAccess {
 public:
  using OnLut = std::function<void(const SetupEvent&)>;
  SwitchResources(const Graph& graph, SwitchId sw, SlotLutIf& lut, const SetupTiming& timing, LinkAvailability& links,
                  OnLut on_lut);

  SlotLutResponse ask(Cycle now, const SlotLutRequest& request, std::uint32_t flow) override;
  Cycle in_force(Cycle now, std::uint32_t columns) override { return tables_.in_force(now, columns); }
  Cycle change(Cycle now, const TableChange& change) override;
  void drain_begins(PortId port) override { links_.drain_begins(links_.at(sw_, port)); }
  void drain_ends(Cycle now, PortId port) override { links_.drain_ends(links_.at(sw_, port), now); }
  bool usable(Cycle now, PortId port) const override { return links_.usable(links_.at(sw_, port), now); }
  bool failed(PortId port) const override { return links_.failed(links_.at(sw_, port)); }
  std::uint32_t holder(PortId port) const override { return links_.holder(links_.at(sw_, port)); }

  TableWriter& tables() { return tables_; }
  /// Compares slot LUT and table with what the setup unit holds; empty if they agree.
  std::string inconsistency(const std::vector<CircuitHolding>& holdings);

 private:
  PortId ports_;
  SwitchId sw_;
  std::uint32_t slots_;
  SlotLutIf& lut_;
  LinkAvailability& links_;
  OnLut on_lut_;
  TableWriter tables_;
};

}  // namespace weft
