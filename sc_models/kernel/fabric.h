#pragma once
// Fabric: a network in simulated time, as runs see it. What happens inside is told by each family in its own terms;
// here is what all have in common: endpoints, accounting, what a watchdog looks at, and what ends a run.

#include <cstdint>
#include <functional>
#include <string>

#include "kernel/clock_domain.h"
#include "kernel/endpoint.h"
#include "kernel/stall_report.h"

namespace weft {

class Fabric : public Endpoints {
 public:
  virtual ClockDomain& domain() = 0;
  /// Length of a tick of its records.
  virtual Duration tick() const = 0;
  /// Before the first send. The observer must outlive the fabric.
  virtual void observe(TransferObserver& observer) = 0;

  /// Fabrics that have to be prepared for transfers, such as by setting up circuits: calls `ready` in the cycle from
  /// which on they can be carried. False, and no call: from cycle 0 on. Before time begins.
  virtual bool when_ready(std::function<void(Cycle)> /*ready*/) { return false; }

  virtual const TransferCounts& counts() const = 0;
  /// What its own objects say against these counts; empty when they agree.
  virtual std::string miscounted() const { return {}; }
  /// Takes back what has not entered the network.
  virtual void withdraw() = 0;
  /// Deliveries, losses and withdrawals that are still to come.
  virtual std::uint64_t outstanding() const { return counts().open(); }
  /// Steps so far, of whatever kind: does not grow while everything is stuck.
  virtual std::uint64_t progress() const = 0;
  /// Cycles between two looks of a watchdog: more than anything takes in which progress() stands still although
  /// something can move.
  virtual Cycle watchdog_interval() const = 0;
  /// Cycles after the last delivery until everything is back where it was at first, such as credits.
  virtual Cycle resting_time() const { return watchdog_interval(); }
  /// Who waits for what, a line each that begins with "\n  ".
  virtual std::string describe_stall() const = 0;
  /// The first thing that is not accounted for, between two cycles; empty when everything is.
  virtual std::string audit() const { return {}; }
  /// Places that an audit looks at.
  virtual std::uint64_t audit_size() const { return 0; }
  /// Throws RunError unless everything is back where it was at first. Precondition: nothing is outstanding, and the
  /// agenda has been served for resting_time() cycles since.
  virtual void check_conservation(Cycle now) = 0;

  // Of a part of a network; numbers in sum over all parts, modulo 2^64.

  /// Transfers that are there, less those that the counts say: 0 at any time.
  virtual std::uint64_t imbalance() const { return 0; }
  /// What describe_stall() is made of.
  virtual std::vector<StalledPort> stalled() const { return {}; }
  /// What other parts have to know of what was withdrawn or lost here, and what they have to tell: to be exchanged
  /// before anything is counted.
  virtual std::string take_news() { return {}; }
  virtual void hear(const std::string& /*news*/) {}
  /// 0 once nothing is outstanding, if every transfer came back once.
  virtual std::uint64_t unclosed() const { return 0; }

  /// Parts of it are down, so transfers may wait for longer than anybody can tell.
  virtual bool excused() const { return false; }
  /// Nothing that is down now will come up again.
  virtual bool faults_over() const { return true; }
};

}  // namespace weft
