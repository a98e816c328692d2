#pragma once
// Switch architecture of packet networks as one record: its word and meaning, its keys and how they become its
// parameters, its checks, buffers and latencies, the vocabulary of virtual lanes it has, and how a switch of it is
// made. The records stand in fabrics/packet/switch_architectures.h; docs/packet_switches.md and docs/iq_router.md say
// what each architecture does and give its timing.

#include <any>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/implementation.h"
#include "base/units.h"
#include "fabrics/packet/common/parameters.h"
#include "network/graph.h"
#include "network/places.h"
#include "schema/schema.h"

namespace weft {

class EgressSchedulerFactory;
class PacketRouter;
class PacketRouting;
class PacketSwitch;
struct PacketCommon;
struct SwitchSite;

/// How a message gets its virtual lane (VL) at each device.
enum class LaneVocabulary : std::uint8_t {
  none,      ///< VCs of its own, which the routers give to packets
  lanes,     ///< InfiniBand's: SL2VL
  channels,  ///< Omni-Path's: service channels (SL2SC, SC2VL) and virtual fabrics
};

/// Units of the link in which an architecture counts, and the flights of flits and credits.
struct LinkUnits {
  DataSize flit;
  Duration period;  ///< of a flit
  Cycle delay = 1;
  Cycle credit_delay = 1;

  std::uint32_t flits(DataSize size) const {  ///< that hold it
    return static_cast<std::uint32_t>((size.bits + flit.bits - 1) / flit.bits);
  }
  std::uint32_t whole_flits(DataSize size) const { return static_cast<std::uint32_t>(size.bits / flit.bits); }
  Cycle cycles(const Given<CycleSpan>& span) const { return span.value.cycles(period); }
};

/// Implementation of the routers of some switches.
struct RouterInstances {
  SwitchRange range;
  BlockChoice router;
};

/// Keys of its own that an architecture has, checked.
struct OwnSwitchConfig {
  Location where;                                        ///< of its section
  std::vector<std::pair<std::string, Location>> places;  ///< of the keys that were given
  std::any parameters;                                   ///< of the type that its switches take
  // Of whole routers that exist in RTL, for all switches and for some; later entries win.
  BlockChoice router;
  std::vector<RouterInstances> router_instances;

  Location place_of(std::string_view key) const {
    for (const auto& [name, place] : places) {
      if (name == key) return place;
    }
    return where;
  }
};

/// Buffer that an architecture has beside those of ports and NICs. The capacity of its shares is given.
struct OwnBuffer {
  std::string_view key;  ///< in its section
  BufferShares* shares = nullptr;
};

/// What is known of a network when an architecture checks whether it can be built of its switches.
struct SwitchSurroundings {
  const PacketRouting& routing;
  const Graph& graph;
  Location topology_where, routing_where, ring_where, delay_where, credit_delay_where;
  bool open =
      true;  ///< no circle of waiting messages has been found; else what is wrong with the routing has been said
};

struct SwitchArchitecture {
  std::string_view name;           ///< word of switch.architecture
  std::string_view meaning;        ///< for descriptions
  std::string_view likeness = {};  ///< "IB-like", in the description of the family
  LaneVocabulary vocabulary = LaneVocabulary::lanes;
  /// Its routers move flits in a network of their own (IqNetwork). They have no egress schedulers; stages, buffers and
  /// NICs are those of its own keys, the common ones have no effect.
  bool flit_by_flit = false;
  Cycle longest_adapter = std::numeric_limits<Cycle>::max();  ///< delay that adapters on links may have
  std::string_view routers = {};   ///< what reports call them, when they have no egress schedulers
  std::string_view crossing = {};  ///< part that one transfer crosses, when that is not the whole switch

  // Keys of its own, a section of `switch`: none without a name.
  std::string_view section = {};
  Type<std::any> (*keys)() = nullptr;  ///< see own_keys()
  OwnSwitchConfig (*resolve)(const Given<std::any>& section, const LinkUnits& units,
                             Diagnostics& diagnostics) = nullptr;
  /// VCs of a port that its keys name; null: ports have the VLs that the service levels name.
  std::uint32_t (*virtual_channels)(const std::any& keys) = nullptr;

  /// Adds why a network cannot be built of them; null: the common checks are enough.
  void (*check)(const OwnSwitchConfig& own, const SwitchSurroundings& around, Diagnostics& diagnostics) = nullptr;
  std::vector<OwnBuffer> (*buffers)(std::any& parameters) = nullptr;
  /// Whether messages of one route and VL stay in order; null: they do.
  bool (*keeps_order)(const std::any& parameters) = nullptr;
  /// Cycles of a message without contention over `switches` switches; null: those of the common stages.
  Cycle (*zero_load_latency)(const std::any& parameters, std::uint32_t switches, std::uint32_t flits) = nullptr;
  /// Sum of the stages of a switch; null: that of the common ones.
  Cycle (*stages)(const std::any& parameters) = nullptr;
  /// A switch; null: its routers are made by their own network.
  std::unique_ptr<PacketSwitch> (*make)(const char* name, const SwitchSite& site, const PacketParameters& parameters,
                                        const PacketRouter& router, EgressSchedulerFactory& schedulers,
                                        PacketCommon& common) = nullptr;
};

/// Type of the keys of an architecture: what a file says is kept as a Raw.
template <class Raw>
Type<std::any> own_keys(const Section<Raw>& section) {
  const Type<Raw> inner = section.type();
  return Type<std::any>(
      AnyType(inner.info, [inner](const YamlNode& node, const std::string& path, Diagnostics& diagnostics, void* out) {
        return inner.read_into(node, path, diagnostics, &static_cast<std::any*>(out)->emplace<Raw>());
      }));
}
/// The keys again; all unset when the section is wrong.
template <class Raw>
Raw keys_as(const std::any& keys) {
  const Raw* raw = std::any_cast<Raw>(&keys);
  return raw == nullptr ? Raw() : *raw;
}

}  // namespace weft
