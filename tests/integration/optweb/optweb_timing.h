#pragma once
// Runs of OPTWEB in mode `timing` that must succeed, with nodes brought in step before what is timed.

#include <algorithm>
#include <cstdint>
#include <string>

#include "schema/document.h"
#include "support/optweb_runs.h"

namespace weft::test {

inline const std::string kTimingHead = "fabric: optweb\nnodes: 4\nmode: timing\n";

inline std::string aligned(const std::string& instruction) {
  return kTimingHead + "program:\n  - { op: barrier }\n  - { op: barrier }\n  - " + instruction + "\n";
}
inline constexpr std::size_t kTimedLine = 2;  // of the instruction after the barriers

inline OptwebOutcome good_timing(const std::string& yaml, const Overrides& set = {}) {
  OptwebOutcome r = run_optweb_yaml(yaml, set);
  EXPECT_THAT(r.error + r.failure, ::testing::IsEmpty());
  return r;
}

/// The timeline of docs/optweb.md, added up by hand from parts that all differ.
struct Parts {
  std::int64_t dispatch = 7, read = 41, setup = 6, notification = 2, distributor = 3, select = 4, gate = 5, receive = 8,
               counter = 9, notified = 10, report = 11, transmit = 12, ip = 13, receive_link = 14, propagation = 3;
  Overrides set() const {
    return {"dmac.dispatch=" + text(dispatch),
            "memory.read=" + text(read),
            "switch.setup=" + text(setup),
            "switch.notification=" + text(notification),
            "switch.distributor=" + text(distributor),
            "switch.select=" + text(select),
            "switch.gate=" + text(gate),
            "switch.receive=" + text(receive),
            "switch.counter=" + text(counter),
            "switch.notified=" + text(notified),
            "switch.report=" + text(report),
            "link.transmit=" + text(transmit),
            "link.ip=" + text(ip),
            "link.receive=" + text(receive_link),
            "wiring.length=" + std::to_string(propagation)};  // a metre is 5 ns, a cycle
  }
  std::int64_t link() const { return transmit + ip + propagation + receive_link; }
  std::int64_t barrier() const { return 2 + setup + notification + link() + notified + report; }
  // n words, and the one that the receiver drops, at 256 bits / 45 Gb/s / 5 ns = 256/225 cycles each
  static std::int64_t words(std::int64_t n) { return ((n + 1) * 256 + 224) / 225; }
  std::int64_t sent(std::int64_t n) const { return 2 + dispatch + read + distributor + select + words(n); }
  std::int64_t received(std::int64_t n) const { return sent(n) + link() + receive + counter + report; }
  std::int64_t confirmed(std::int64_t n) const {
    return received(n) + setup + notification + link() + notified + report;
  }
  std::int64_t rendezvous(std::int64_t n) const {
    const std::int64_t ready = 2 + setup + notification + link() + notified + gate;
    const std::int64_t data = 2 + dispatch + read + distributor + select;
    return received(n) + std::max(ready, data) - data;
  }

 private:
  static std::string text(std::int64_t cycles) { return std::to_string(cycles) + "cycles"; }
};

}  // namespace weft::test
