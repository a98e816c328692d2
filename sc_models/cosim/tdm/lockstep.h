#pragma once
// Data paths and slot LUTs that have the RTL inside, alone or beside the model.

#include <memory>
#include <string>
#include <vector>

#include "cosim/common/lockstep_counts.h"
#include "cosim/tdm/rtl_driver.h"
#include "fabrics/tdm/blocks.h"
#include "fabrics/tdm/model_data_path.h"

namespace weft {

/// A cycle of a FiC network for messages: "1.23us (cycle 123, slot 3)".
std::string cycle_text(const ClockDomain& domain, std::uint32_t slots, Cycle cycle);

/// The RTL drives the network: its outputs become trains again.
class RtlDataPath final : public DataPath {
 public:
  RtlDataPath(const BlockSite& site, DataPathClient& client, std::unique_ptr<TdmSwitchRtl> core);

  void preset(const SlotTable& table) override { driver_.preset(table); }
  void load(Cycle now, const SlotTable& table, Cycle cycles_per_slot) override {
    driver_.load(now, table, cycles_per_slot);
  }
  void write_column(Cycle now, const SlotTable& table, Slot slot) override { driver_.write_column(now, table, slot); }
  void swap(Cycle now, Cycle boundary) override { driver_.swap(now, boundary); }
  void arrive(Cycle now, PortId in, const Train& train) override { driver_.arrive(now, in, train); }
  void arrive_cut(Cycle, PortId in, const TrainCut& cut) override { driver_.arrive_cut(in, cut); }
  void due(Cycle now, std::uint32_t token) override { driver_.due(now, token); }
  RtlDriver& driver() { return driver_; }

 private:
  struct Outgoing {
    Train train;
    std::uint32_t sent = 0;  // 0: nothing going on
  };
  void outputs(Cycle now);
  void start(Cycle now, PortId out, const RtlOutput& word, Outgoing& outgoing);

  const BlockSite site_;
  DataPathClient& client_;
  std::vector<Outgoing> outgoing_;  // per output and slot
  RtlDriver driver_;
};

/// The model drives the network, the RTL must do the same in every cycle.
class LockstepDataPath final : public DataPath, private DataPathClient {
 public:
  LockstepDataPath(const BlockSite& site, DataPathClient& client, std::unique_ptr<TdmSwitchRtl> core,
                   LockstepCount& count);

  void preset(const SlotTable& table) override;
  void load(Cycle now, const SlotTable& table, Cycle cycles_per_slot) override;
  void write_column(Cycle now, const SlotTable& table, Slot slot) override;
  void swap(Cycle now, Cycle boundary) override;
  void arrive(Cycle now, PortId in, const Train& train) override;
  void arrive_cut(Cycle now, PortId in, const TrainCut& cut) override;
  void due(Cycle now, std::uint32_t token) override;
  RtlDriver& driver() { return driver_; }

 private:
  void depart(PortId out, const Train& train) override;
  void depart_cut(PortId out, const TrainCut& cut) override;
  void wake(Cycle at, Phase phase, std::uint32_t token) override { client_.wake(at, phase, token); }
  void compare(Cycle now);
  RtlOutput expected(Cycle now, PortId out) const;
  std::string output_text(const RtlOutput& output) const;

  const BlockSite site_;
  DataPathClient& client_;
  std::vector<Train> sent_;  // per output and slot: the train the model sends there; words == 0: none
  ModelDataPath model_;
  RtlDriver driver_;
  LockstepCount& count_;
};

class RtlSlotLut final : public SlotLutIf {
 public:
  explicit RtlSlotLut(std::unique_ptr<SlotLutRtl> core) : core_(std::move(core)) {}
  SlotLutResponse request(const SlotLutRequest& request) override { return core_->request(request); }

 private:
  std::unique_ptr<SlotLutRtl> core_;
};

class LockstepSlotLut final : public SlotLutIf {
 public:
  LockstepSlotLut(const BlockSite& site, std::unique_ptr<SlotLutRtl> core, LockstepCount& count)
      : site_(site), core_(std::move(core)), model_(site.ports, site.slots), count_(count) {}
  SlotLutResponse request(const SlotLutRequest& request) override;

 private:
  const BlockSite site_;
  std::unique_ptr<SlotLutRtl> core_;
  SlotLut model_;
  LockstepCount& count_;
};

}  // namespace weft
