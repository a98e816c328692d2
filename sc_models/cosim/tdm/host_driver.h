#pragma once
// Drives the RTL of a host's interface cycle by cycle: messages that stand at the head of their queues, words that
// arrive, tables that change.
//
// A word's bits in simulation are its identity: message number above, index of the word below. Cycles in which no
// message is there, no word arrives and nothing is written are left out, which is exact since the slot counter is an
// input of the block.

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cosim/tdm/host_rtl.h"
#include "fabrics/tdm/host_interface.h"

namespace weft {

class HostRtlDriver {
 public:
  /// What stands around it: in phase `transfer` it looks at words that leave, in phase `settle` at all of the cycle.
  struct Probes {
    std::function<void(Cycle)> outputs;
    std::function<void(Cycle)> cycle;
  };
  HostRtlDriver(HostSite site, HostInterfaceClient& client, std::unique_ptr<HostInterfaceRtl> core, Probes probes);

  void preset(const HostTables& tables);
  void load(Cycle now, const HostTables& tables, Cycle cycles_per_slot);
  void swap(Cycle now, Cycle boundary);
  void offer(Cycle now, const HostMessage& message);
  /// The message that was offered has left.
  void message_left() { --messages_; }
  void arrive(Cycle now, PortId link, const Train& train);
  void arrive_cut(PortId link, const TrainCut& cut);
  /// True when the token was the driver's.
  bool due(Cycle now, std::uint32_t token);
  /// In waves, at the end of a cycle: its slot, if the block was not clocked in it.
  void show(Cycle now);

  /// Number of a circuit that has slots here, kNoId: it has none.
  std::uint32_t number_out(CircuitId circuit) const { return number(active_out_, circuit); }
  std::uint32_t number_in(CircuitId circuit) const { return number(active_in_, circuit); }
  /// Circuit of a number in the injection table, kNoId: none.
  CircuitId circuit_out(std::uint32_t number) const;
  /// The word that arrives in this cycle as the block must show it, and its circuit.
  HostWord arriving(Cycle now, std::uint32_t link) const;
  const Train* train_arriving(Cycle now, std::uint32_t link) const;
  static std::uint64_t bits(MessageId message, std::uint32_t word) { return (std::uint64_t{message} << 32) | word; }

  const HostSite& site() const { return site_; }
  HostInterfaceRtl& core() { return *core_; }
  const HostInterfaceRtl& core() const { return *core_; }
  std::string place(Cycle now) const;
  std::string text(const HostWord& word) const;

 private:
  using Numbers = std::unordered_map<CircuitId, std::uint32_t>;
  static constexpr std::uint32_t kBegin = std::uint32_t{1} << 30;  // tokens above those of a model
  static constexpr std::uint32_t kFinish = kBegin + 1;
  static Numbers numbers_of(const std::vector<CircuitId>& table);
  static std::uint32_t number(const Numbers& numbers, CircuitId circuit);
  Slot label(Cycle now) const;
  void need(Cycle cycle);
  void exchange_tables(Cycle now);
  void begin(Cycle now);
  void finish(Cycle now);
  void probe(const std::function<void(Cycle)>& look, Cycle now);
  void set_inputs(Cycle now);
  void write_column(std::uint32_t slot);

  HostSite site_;
  HostInterfaceClient& client_;
  std::unique_ptr<HostInterfaceRtl> core_;
  Probes probes_;
  HostTables shadow_;
  Numbers shadow_out_, shadow_in_, active_out_, active_in_;
  std::vector<std::vector<Train>> trains_;  // that arrive, per link and label
  std::uint32_t messages_ = 0;              // in the block
  Cycle begun_ = -1;
  Cycle planned_ = -1;      // earliest cycle a step is planned for, -1: none
  Cycle arrivals_end_ = 0;  // no word arrives from this cycle on
  Cycle load_start_ = 0;
  Cycle load_step_ = 1;
  std::uint32_t load_column_ = 0;
  bool loading_ = false;
  Cycle swap_at_ = -1;     // of the table of injection
  Cycle in_swap_at_ = -1;  // of that of ejection
  Cycle in_swapped_ = -1;  // cycle of its last change-over
};

}  // namespace weft
