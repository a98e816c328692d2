#pragma once
// The step from what a file says about a packet network to its checked configuration, subject by subject: network,
// link and switch (packet_resolve.cpp), levels and lanes (packet_resolve_levels.cpp), their exceptions
// (packet_resolve_maps.cpp), egress schedulers (packet_resolve_scheduler.cpp), traffic and length of
// the run (packet_resolve_traffic.cpp), programs (packet_resolve_programs.cpp), places
// (packet_resolve_places.cpp). Reports everything that is wrong and goes on.

#include <optional>
#include <string>
#include <vector>

#include "fabrics/packet/keys/packet_schema.h"
#include "fabrics/packet/switch_architectures.h"

namespace weft {

inline constexpr std::uint32_t kManagementLane = 15;  ///< VL15 and SC15 carry management packets

class PacketResolver {
 public:
  PacketResolver(const RawPacketFabric& raw, const ConfigDocument& document, Diagnostics& diagnostics)
      : raw_(raw), document_(document), diagnostics_(diagnostics) {}

  PacketConfig resolve();

 private:
  using Numbers = std::vector<std::uint32_t>;

  void network();
  void link();
  void packet_switch();
  void egress_ports(bool there);
  void levels();
  void check_channel_lanes();
  void check_class_lanes();
  void lane_classes(bool topology_is_valid);
  std::uint32_t usual_roots() const;
  /// "3 VLs (one per hop)"
  std::uint32_t packet_flits(const Given<DataSize>& packet, std::uint32_t message, const std::string& path);
  std::string class_count(const std::string& what) const;
  void lanes();
  void scheduler();
  void scheduler_section(const SchedulerType& type, const KeyState& section, const RawPortBlock& keys);
  void unused_level_keys();
  void traffic();
  void programs();
  void faults();
  void run();
  void waves();
  void lane_maps();
  std::optional<LaneException> lane_map(const RawLaneMap& r, const std::string& path);
  std::vector<LaneException::Level> level_numbers(const Given<std::vector<Named<RawNumbers>>>& map,
                                                  const std::string& path, const std::string& what);
  void check_level_channels();
  void check_lane(std::uint32_t& lane, const Location& where, const std::string& path);
  std::optional<std::uint32_t> level_of_stream(const RawPacketStream& r, const Location& where,
                                               const std::string& path);

  std::vector<std::string> level_names() const;
  /// Number of a level that is given by name or number.
  std::optional<std::uint32_t> level_of(const std::string& text, const Location& where, const std::string& path);
  /// VL of a service channel.
  std::uint32_t lane_of_channel(std::uint32_t channel, const std::string& path, const Location& where);
  Numbers numbers(const Given<std::vector<Placed<std::uint32_t>>>& list, const std::string& path,
                  const std::string& what);
  /// Default numbers of a level: all of the first lane class, then all of the second, ..., without the management lane.
  Numbers default_numbers(std::uint32_t level, std::uint32_t count) const;
  std::vector<TableEntryConfig> table(const Given<std::vector<Placed<RawTableEntry>>>& raw, const std::string& path);

  std::uint32_t flits(DataSize size) const { return out_.link.units().flits(size); }
  std::uint32_t whole_flits(DataSize size) const { return out_.link.units().whole_flits(size); }
  Cycle cycles(const Given<CycleSpan>& span) const { return out_.link.units().cycles(span); }
  /// As far as the file says it.
  const SwitchArchitecture& architecture() const {
    const auto& given = raw_.packet_switch.value.architecture;
    return given.valid ? *given.value : kUsualArchitecture;
  }
  /// Messages have service channels, which decide on their VLs.
  bool has_channels() const { return architecture().vocabulary == LaneVocabulary::channels; }
  /// "service channels belong", and to whom.
  static std::string belong_to(const std::string& what, LaneVocabulary vocabulary) {
    return what + " to architecture '" + architectures_with(vocabulary) + "'";
  }
  bool rings() const { return torus() && out_.routing.algorithm->takes_rings; }
  bool torus() const { return out_.topology.kind != nullptr && out_.topology.kind->form == NetworkForm::torus; }

  const RawPacketFabric& raw_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
  bool lanes_known_ = false;  ///< how many VLs each level has
  PacketConfig out_;
};

}  // namespace weft
