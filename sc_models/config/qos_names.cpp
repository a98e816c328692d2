// The names of choices, as files and reports have them.

#include "config/qos_config.h"

namespace weft {

std::string to_string(PacketArchitecture v) {
  switch (v) {
    case PacketArchitecture::ib:
      return "ib";
    case PacketArchitecture::opa:
      return "opa";
    case PacketArchitecture::iq:
      return "iq";
  }
  return {};
}

std::string to_string(IqAllocatorChoice v) { return v == IqAllocatorChoice::separable ? "separable" : "islip"; }

std::string to_string(IqReuseChoice v) { return v == IqReuseChoice::after_tail ? "after_tail" : "when_empty"; }

std::string to_string(RingControl v) {
  switch (v) {
    case RingControl::bubble:
      return "bubble";
    case RingControl::dateline:
      return "dateline";
    case RingControl::none:
      return "none";
  }
  return {};
}

std::string to_string(RouteTies v) { return v == RouteTies::random ? "random" : "plus"; }

std::string to_string(SchedulerChoice v) {
  switch (v) {
    case SchedulerChoice::dtable:
      return "dtable";
    case SchedulerChoice::ib_arbiter:
      return "ib_arbiter";
    case SchedulerChoice::round_robin:
      return "round_robin";
    case SchedulerChoice::strict_priority:
      return "strict_priority";
    case SchedulerChoice::drr:
      return "drr";
    case SchedulerChoice::scfq:
      return "scfq";
  }
  return {};
}

std::string to_string(NoWayChoice v) { return v == NoWayChoice::discard ? "discard" : "wait"; }

std::string to_string(SourceKind v) {
  switch (v) {
    case SourceKind::bernoulli:
      return "bernoulli";
    case SourceKind::constant_rate:
      return "constant_rate";
    case SourceKind::bursts:
      return "bursts";
    case SourceKind::on_off:
      return "on_off";
  }
  return {};
}

std::string to_string(DestinationKind v) {
  switch (v) {
    case DestinationKind::uniform:
      return "uniform";
    case DestinationKind::permutation:
      return "permutation";
    case DestinationKind::pattern:
      return "pattern";
  }
  return {};
}

std::string to_string(RunUntil v) { return v == RunUntil::window ? "window" : "steady"; }

}  // namespace weft
