#pragma once
// Receiving side of the distributed switch, module by module: switch_modules.h says what each does. Its word counters
// are those of sending_side.h.

#include <optional>
#include <utility>
#include <vector>

#include "algorithms/optweb/reduction.h"
#include "fabrics/optweb/parameters.h"
#include "fabrics/optweb/small_queue.h"
#include "fabrics/optweb/switch_modules.h"

namespace weft {

class NotificationRegisters : public sc_core::sc_module, public NotificationRegistersIf {
 public:
  NotificationRegisters(sc_core::sc_module_name name, const OptwebParameters& parameters, std::uint32_t ports)
      : sc_module(name), latency_(parameters.latency().notified), incoming_(ports), registered_(ports), total_(ports) {}
  Cycle arrives(std::uint32_t port, const OptwebNotification& notification, Cycle at) override;
  void registers(std::uint32_t port) override;
  bool registered(std::uint32_t port) const override { return !registered_[port].empty(); }
  OptwebNotification take(std::uint32_t port) override { return registered_[port].take(); }
  std::uint64_t total(std::uint32_t port) const override { return total_[port]; }

 private:
  Cycle latency_;
  std::vector<SmallQueue<OptwebNotification, 1>> incoming_;    // not yet registered, by port
  std::vector<SmallQueue<OptwebNotification, 1>> registered_;  // and not used yet, by port
  std::vector<std::uint64_t> total_;                           // by port
};

class ReceiveBuffers : public sc_core::sc_module, public ReceiveBuffersIf {
 public:
  ReceiveBuffers(sc_core::sc_module_name name, const OptwebParameters& parameters, std::uint32_t ports)
      : sc_module(name),
        capacity_(parameters.config->eager_buffer),
        word_(parameters.config->word_bytes),
        queue_(ports) {}
  void keep(std::uint32_t port, OptwebTrain&& train) override {
    const Cycle last = train.last;
    queue_[port].push_back({std::move(train), last, false, false, {}});
  }
  void is_late(std::uint32_t port, Cycle last, Picoseconds ended, Cycle from) override;
  Arrival& keep_turn(std::uint32_t port, const OptwebTurn& turn, Cycle first, Cycle last, Picoseconds ended) override;
  Arrival* coming(std::uint32_t port) override;
  const Arrival* first(std::uint32_t port) const override {
    return queue_[port].empty() ? nullptr : &queue_[port].front();
  }
  Arrival take(std::uint32_t port) override { return queue_[port].take(); }
  std::uint64_t waiting(std::uint32_t port) const override;
  std::uint64_t capacity() const override { return capacity_; }
  bool holds(std::uint64_t words) const override { return words * word_ <= capacity_ + word_; }

 private:
  std::uint64_t capacity_;  // bytes of each
  std::uint64_t word_;
  std::vector<SmallQueue<Arrival, 1>> queue_;  // by port, in the order of the link
};

class Crossbar : public sc_core::sc_module, public CrossbarIf {
 public:
  Crossbar(sc_core::sc_module_name name, const OptwebParameters& parameters, std::uint32_t ports)
      : sc_module(name), latency_(parameters.latency().receive), writer_(ports), inputs_(ports) {}
  void join(std::uint32_t input, std::uint32_t writer, bool combined) override;
  void release(std::uint32_t input) override;
  std::optional<std::uint32_t> joined(std::uint32_t input) const override { return writer_[input]; }
  Cycle passed(Cycle at) const override { return at + latency_; }

 private:
  Cycle latency_;
  std::vector<std::optional<std::uint32_t>> writer_;  // by input
  std::vector<std::uint32_t> inputs_;                 // of each writer
};

class ReductionUnit : public sc_core::sc_module, public ReductionUnitIf {
 public:
  ReductionUnit(sc_core::sc_module_name name, const OptwebParameters& parameters)
      : sc_module(name), latency_(parameters.latency().reduce) {}
  Cycle passed(Cycle at, std::size_t streams) const override {
    return at + static_cast<Cycle>(optweb::tree_levels(streams)) * latency_;
  }
  void combine(const ReducedWords& w) override {
    optweb::reduce(w.reduction, w.streams, w.memory, w.address, w.bytes, w.stop);
  }

 private:
  Cycle latency_;
};

}  // namespace weft
