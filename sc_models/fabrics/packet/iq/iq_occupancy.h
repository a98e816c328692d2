#pragma once
// Flits in the buffers of every iq router, looked at from time to time in the measurement. Flits of a packet can stand
// in several routers with gaps between them, so what is in a buffer does not follow from what observers are told; and
// a router that told of every flit would be slower.
//
// The distance between two looks doubles after each 512 of them, so that long runs do not look often; each look counts
// for the time to the next. With a profile there are at least 16 looks in each of its windows.

#include <cstdint>
#include <vector>

#include "fabrics/packet/common/buffer_looks.h"
#include "fabrics/packet/iq/iq_network.h"
#include "kernel/clock_domain.h"

namespace weft {

class IqOccupancy final : public Agent, public BufferLooks {
 public:
  /// References must outlive it. It looks from the first measure_from() on.
  IqOccupancy(IqNetwork& network, const Graph& graph);
  void record(NetworkProfile& profile) override { profile_ = &profile; }

  void measure_from(Cycle first) override;
  void measure_until(Cycle last) override { window_.last = last; }
  void close(Cycle now) override { window_.last = now; }
  void due(Cycle now, std::uint32_t token) override;

  const std::vector<std::uint64_t>& numbers() const override { return held_; }
  void set_numbers(std::vector<std::uint64_t> numbers) override { held_ = std::move(numbers); }
  std::vector<double> occupancy() const override;

 private:
  static constexpr Cycle kFirst = 64;            // cycles between two looks
  static constexpr std::uint64_t kDouble = 512;  // looks after which the distance doubles
  static constexpr Cycle kLooksPerWindow = 16;

  IqNetwork& network_;
  const Graph& graph_;
  NetworkProfile* profile_ = nullptr;
  Window window_;
  std::uint32_t turn_ = 0;  // looks of an earlier measurement are over
  Cycle distance_ = kFirst;
  std::uint64_t looks_ = 0;
  std::uint64_t time_ = 0;           // that the looks count for
  std::vector<std::uint64_t> held_;  // flits times that time, per router
};

}  // namespace weft
