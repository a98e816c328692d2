#pragma once
// Flits in the buffers of every iq router, sampled from time to time in the measurement: those that can be used and
// have no grant of the switch yet. Flits of a packet can stand in several routers with gaps between them, so what is in
// a buffer does not follow from what observers are told; and a router that told of every flit would be slower.
//
// The distance between two samples doubles after each 512 of them, so that long runs have few; each sample counts
// for the time to the next. With a profile there are at least 16 samples in each of its windows. A network that is
// empty, or has nothing on the agenda of its clock, is not sampled: the samples that were due there are made up for
// when the next packet enters it, with what its buffers hold then. Samples that find nothing behind the end of the
// measurement do not count, whenever that end becomes known.

#include <cstdint>
#include <utility>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/iq/iq_network.h"
#include "kernel/clock_domain.h"
#include "observe/profile/network_profile.h"
#include "observe/window.h"

namespace weft {

class IqOccupancy final : public Agent, public WindowedStats, public PacketObserver {
 public:
  /// References must outlive it. It samples from the first measure_from() on.
  IqOccupancy(IqNetwork& network, const Graph& graph);
  /// What each sample finds goes into a profile, too, which must outlive it.
  void record(NetworkProfile& profile) { profile_ = &profile; }

  void measure_from(Cycle first) override;
  void measure_until(Cycle last) override { window_.last = last; }
  void close(Cycle now) override;
  void due(Cycle now, std::uint32_t token) override;

  bool wants_ends() const override { return false; }
  void on_inject(const PacketMessage&) override {
    if (asleep_) wake();
  }

  /// Sums over the samples, to be added to those of other parts of the network.
  const std::vector<std::uint64_t>& numbers() const { return held_; }
  void set_numbers(std::vector<std::uint64_t> numbers) { held_ = std::move(numbers); }
  /// Mean flits in the buffers of each router; empty: it has no sample.
  std::vector<double> occupancy() const;

 private:
  static constexpr Cycle kFirst = 64;            // cycles between two samples
  static constexpr std::uint64_t kDouble = 512;  // samples after which the distance doubles
  static constexpr Cycle kSamplesPerWindow = 16;

  struct Sample {
    Cycle at = 0;
    Cycle next = 0;  // time to the next one
  };
  Sample new_sample(Cycle now);
  void count(const Sample& sample);
  /// Counts those that found nothing before cycle `end`, and forgets the others.
  void count_empty(Cycle end);
  void wake();
  /// Samples an empty network before cycle `end`.
  void make_up(Cycle end);

  IqNetwork& network_;
  const Graph& graph_;
  const bool whole_;  // of a part of a network nobody here knows whether it is empty
  NetworkProfile* profile_ = nullptr;
  Window window_;
  std::uint32_t turn_ = 0;  // samples of an earlier measurement are over
  bool asleep_ = false;     // the network was empty at the last sample, or
  bool stands_ = false;     // nothing was on the agenda of its clock
  Cycle next_ = 0;          // cycle of the next one
  Cycle distance_ = kFirst;
  std::uint64_t samples_ = 0;
  std::vector<Sample> empty_;        // that found nothing here, since one that found something
  std::uint64_t time_ = 0;           // that the samples count for
  std::vector<std::uint64_t> held_;  // flits times that time, per router
};

}  // namespace weft
