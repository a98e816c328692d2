#pragma once
// Parts of OPTWEB nodes that the programs of a network use, so that a waveform has no signals that cannot change.

#include <vector>

#include "algorithms/optweb/program.h"
#include "base/ids.h"

namespace weft {

struct OptwebUses {
  bool rendezvous = false;
  bool reduction = false;
  bool user_logic = false;
  bool host = false;
  bool reads = false;   ///< a reader has words
  bool writes = false;  ///< a writer has
  bool fifos = false;   ///< words wait in the transmit FIFOs of links
  // By node; of the node itself, too.
  std::vector<bool> sends;     ///< words go there
  std::vector<bool> receives;  ///< words come from there
  std::vector<bool> out;       ///< words or notifications go there over a link
  std::vector<bool> in;        ///< the same from there
  /// By memory interface (2i and 2i + 1 belong to stripe i): words are read or written there. Of HBM2 only.
  std::vector<bool> interfaces;
};

/// By node. Of a network without programs that of messages between any nodes.
std::vector<OptwebUses> optweb_uses(const OptwebConfig& config, const optweb::MachinePrograms& programs);

}  // namespace weft
