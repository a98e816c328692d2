#pragma once
// Vocabulary of reports: the figures and columns that every family of networks gives under the same key, in the same
// unit and with the same meaning. A family adds figures and tables of its own and renames none of these
// (docs/report.md). Times are ns, rates Gb/s.
//
// A flit is what a link carries in one cycle: a flit of a packet network, a word of a circuit or of an FPGA's link.

#include <string>

#include "observe/statistic.h"

namespace weft::vocabulary {

// Section `network`.
inline const Statistic kTopology{"topology", "", "kind and size of the network"};
inline const Statistic kNodes{"nodes", "1", "nodes of the network: hosts, or FPGAs"};
inline const Statistic kCycle{"cycle", "ns", "period of the clock; a link carries at most one flit per cycle"};
inline const Statistic kLinkRate{"link_rate", "Gb/s", "payload rate of a link and direction"};

// Section `run`, and with the same words the columns of table `services`.
inline const Statistic kTime{
    "time", "ns",
    "time of the last delivery, programs included from their first instruction; of an incomplete run its end"};
inline const Statistic kOffered{"offered", "flits/cycle/node",
                                "flits of the messages generated in the measurement, per cycle and node"};
inline const Statistic kAccepted{"accepted", "flits/cycle/node",
                                 "flits of the messages delivered in the measurement, per cycle and node"};
inline const Statistic kOfferedRate{"offered_rate", "Gb/s", "the same over all nodes together: what sources generated"};
inline const Statistic kAcceptedRate{"accepted_rate", "Gb/s",
                                     "the same over all nodes together: what destinations received"};
inline const Statistic kMessages{"messages", "1", "measured messages that were delivered; the latencies are theirs"};
inline const Statistic kLatencyMean{"latency_mean", "ns",
                                    "mean latency: generation of a message to the arrival of its last flit"};
inline const Statistic kLatencyMin{"latency_min", "ns", "least latency"};
inline const Statistic kLatencyP50{"latency_p50", "ns", "median of the latency"};
inline const Statistic kLatencyP95{"latency_p95", "ns", "95th percentile of the latency"};
inline const Statistic kLatencyP99{"latency_p99", "ns", "99th percentile of the latency"};
inline const Statistic kLatencyP999{"latency_p999", "ns", "99.9th percentile of the latency"};
inline const Statistic kLatencyMax{"latency_max", "ns", "largest latency"};
inline const Statistic kQueueing{"queueing", "ns",
                                 "mean part of the latency at the source, from the generation until the message may "
                                 "leave: others go first, the link or the circuit is not there yet; a saturated "
                                 "source, for which a message always waits, generates it when it turns to it"};
inline const Statistic kQueueingMax{"queueing_max", "ns", "largest such part of a message"};
inline const Statistic kNetwork{"network", "ns",
                                "mean part of the latency on the way, slot waits included: latency less queueing and "
                                "serialization"};
inline const Statistic kSerialization{"serialization", "ns",
                                      "mean part of the latency between the first and the last flit of a message"};

// Table `services`, one line per service: a service level, the circuits of a phase, a kind of transfer.
inline const Statistic kService{"service", "", "service level, phase of circuits, or kind of transfer"};

inline const Statistic kSaturated{"saturated", "",
                                  "its source queues grow for as long as the sources go on, and so do its latencies"};

// Table `histogram`.
inline const Statistic kFrom{"from", "ns", "least latency of the bin"};
inline const Statistic kBelow{"below", "ns", "first latency beyond the bin"};
inline const Statistic kInBin{"messages", "1", "messages in the bin"};
inline const Statistic kDensity{"density", "1/ns", "messages over the width of the bin"};

// Table `links`.
inline const Statistic kLink{"link", "", "the directed link: sending port and receiver"};
inline const Statistic kUtilization{"utilization", "%", "share of the time of measurement in which it carried flits"};

/// The same figure, with more said about this one.
inline Statistic refined(Statistic statistic, const std::string& more) {
  statistic.meaning += "; " + more;
  return statistic;
}

}  // namespace weft::vocabulary
