#pragma once
// Bench of iq_mesh: link_bench.h, with the links of its nodes.

#include "iq/link_bench.h"
#include "iq/mesh_traffic.h"

namespace weft::pins {

template <class Dut>
class MeshBench final : public LinkBench<Dut, MeshTraffic, MeshShape> {
 public:
  using Shape = MeshShape;
  using LinkBench<Dut, MeshTraffic, MeshShape>::LinkBench;
};

}  // namespace weft::pins
