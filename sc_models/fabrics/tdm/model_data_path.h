#pragma once
// Plain C++ model of the FiC switch data path (data_path.h), working on whole trains: one event per train and output,
// none per word and none per idle cycle. Timing and behaviour are those of the register file, word for word, table
// changes in the middle of a train included.

#include <vector>

#include "fabrics/tdm/data_path.h"

namespace weft {

class ModelDataPath final : public DataPath {
 public:
  /// `slots`: frame length S. The client must outlive the data path.
  ModelDataPath(DataPathClient& client, PortId ports, std::uint32_t slots);

  void preset(const SlotTable& table) override;
  void load(Cycle now, const SlotTable& table, Cycle cycles_per_slot) override;
  void write_column(Cycle now, const SlotTable& table, Slot slot) override;
  void swap(Cycle now, Cycle boundary) override;
  void arrive(Cycle now, PortId in, const Train& train) override;
  void arrive_cut(Cycle now, PortId in, const TrainCut& cut) override;
  void due(Cycle now, std::uint32_t token) override;

  const SlotTable& active() const { return active_; }

 private:
  struct Reader {  // an output slot that names a register
    PortId out;
    Slot slot;
  };
  struct Live {  // a train of which a word may still be read
    PortId in;
    Train train;
  };
  struct Departure {  // a train that has not left yet
    Train train;      // as it will leave
    PortId out = 0;
    PortId in = 0;
    Slot in_slot = 0;
    std::uint32_t in_first_word = 0;
    Cycle in_start = 0;  // tells apart the rounds of a train that goes in circles
    bool pending = false;
  };
  struct PendingCut {  // to be told once the new table is in force
    PortId out;
    TrainCut cut;
  };
  struct Outgoing {  // what an output slot sends of a train
    Train train;
    std::uint32_t skipped = 0;  // words of the incoming train before the first one sent
  };

  std::size_t entry(PortId port, Slot slot) const { return std::size_t{port} * slots_ + slot; }
  bool alive(const Live& live, Cycle now) const { return live.train.last(slots_) + Cycle{slots_} >= now; }
  bool outgoing(const Train& in, PortId out, Slot out_slot, Outgoing& result) const;
  void plan(PortId in, const Train& train, Reader reader);
  void index_readers();
  void do_swap(Cycle now);
  void retire(Cycle now, PortId out, Slot out_slot, std::vector<PendingCut>& cuts);
  void forget_old(Cycle now);

  static constexpr std::uint32_t kSwapToken = ~std::uint32_t{0};

  DataPathClient& client_;
  PortId ports_;
  std::uint32_t slots_;
  SlotTable active_;
  SlotTable shadow_;
  std::vector<Cycle> since_;                 // per entry: first cycle in which it had its present value
  std::vector<std::uint32_t> first_reader_;  // per register: where its readers begin; one more at the end
  std::vector<Reader> readers_;
  std::vector<Live> live_;
  std::size_t live_limit_ = 16;  // tidy up when the list gets longer than this
  std::vector<Departure> departures_;
  std::vector<std::uint32_t> free_departures_;
};

}  // namespace weft
