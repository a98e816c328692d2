#pragma once
// Messages that hosts stream over their circuits, as the configuration's `sources` sections say.
//
// saturated  the next message is there as soon as the previous one has left the queue
// periodic   message k of every circuit is generated k * interval after the phase's data start, rounded up to a cycle
// poisson    exponential gaps with mean `interval`, from a stream named after the circuit, so that adding a circuit
//            does not disturb the others
// With a message count, exactly that many are sent per circuit; without, messages are generated during warm-up and
// measurement and everything generated is delivered.

#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/tdm_host.h"
#include "workload/arrivals.h"

namespace weft {

class StreamSupply final : public MessageSupply, public TdmObserver {
 public:
  StreamSupply(const TdmConfig& config, const std::vector<PhasePlan>& phases);

  std::optional<MessageOffer> next(CircuitId circuit, Cycle free_at) override;
  bool finished(CircuitId circuit) const override { return streams_[circuit].done; }
  void on_phase(std::size_t phase, Cycle data_start) override;
  /// Of the messages of each circuit.
  std::vector<std::uint32_t> words() const;

 private:
  struct Stream {
    const TdmSourcesConfig* sources = nullptr;
    std::size_t phase = 0;
    std::uint32_t words = 1;
    ArrivalState arrivals;
    bool done = false;
  };
  Cycle generation_time(Stream& stream, Cycle free_at) const;

  Duration period_;
  Cycle window_ = 0;  // warm-up and measurement, cycles
  std::vector<Cycle> data_start_;
  std::vector<Stream> streams_;
};

}  // namespace weft
