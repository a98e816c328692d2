#pragma once
// A fabric of which each rank has a part, as the simulation sees it: what one asks of it is the answer of all parts
// together. All ranks ask the same, in the same order.

#include <string>

#include "kernel/fabric.h"
#include "parallel/ranks.h"

namespace weft {

class DividedFabric final : public Fabric {
 public:
  /// Both must outlive the object.
  DividedFabric(Fabric& part, Ranks& ranks) : part_(part), ranks_(ranks) {}

  std::uint32_t nodes() const override { return part_.nodes(); }
  Capabilities of(ServiceId service) const override { return part_.of(service); }
  ClientId attach(Client& client) override { return part_.attach(client); }
  /// Precondition: the node is in this rank's part.
  void send(NodeId from, const Transfer& transfer) override { part_.send(from, transfer); }
  void expect(NodeId from) const override { part_.expect(from); }

  ClockDomain& domain() override { return part_.domain(); }
  Duration tick() const override { return part_.tick(); }
  /// Is told what this rank's part generates and what arrives there.
  void observe(TransferObserver& observer) override { part_.observe(observer); }
  bool when_ready(std::function<void(Cycle)> ready) override { return part_.when_ready(std::move(ready)); }
  const TransferCounts& counts() const override;
  std::string miscounted() const override;
  void withdraw() override;
  std::uint64_t progress() const override { return ranks_.sum(part_.progress()); }
  Cycle watchdog_interval() const override { return part_.watchdog_interval(); }
  Cycle resting_time() const override { return part_.resting_time(); }
  std::string describe_stall() const override;
  std::string audit() const override { return first(part_.audit()); }
  std::uint64_t audit_size() const override { return part_.audit_size(); }
  void check_conservation(Cycle now) override;
  bool excused() const override { return part_.excused(); }
  bool faults_over() const override { return part_.faults_over(); }

 private:
  void exchange_news() const;
  /// That of the first rank that has one.
  std::string first(const std::string& mine) const;

  Fabric& part_;
  Ranks& ranks_;
  mutable TransferCounts counts_;
};

}  // namespace weft
