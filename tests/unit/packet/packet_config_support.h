#pragma once
// Short configurations of packet networks, and what reading them says.

#include <string>
#include <utility>
#include <vector>

#include "run/packet/packet_family.h"
#include "unit/schema/config_support.h"

namespace weft {

inline const std::string kTorus = "fabric: packet\ntopology: { kind: torus, dims: [4, 4] }\n";
inline const std::string kTree = "fabric: packet\ntopology: { kind: tree, arity: 2, levels: 2 }\n";
inline const std::string kPacket = "qos: { levels: { a: { message: 64B }, b: { message: 65B } } }\n";
inline const std::string kSend = "traffic: [ { level: a, load: 0.1 } ]\n";

struct ParsedPacket {
  PacketConfig config;
  std::vector<std::string> said;  ///< warnings, or errors
};

inline ParsedPacket parse_packet(const std::string& text, const Overrides& set = {}) {
  Diagnostics diagnostics;
  try {
    PacketConfig config = parse_packet_config(text, "t.yaml", test::kData + "/config", set, diagnostics);
    return {std::move(config), test::texts(diagnostics.list())};
  } catch (const InputError& e) {
    return {{}, test::texts(e.list())};
  }
}

inline PacketConfig good_packet(const std::string& text, const Overrides& set = {}) {
  const ParsedPacket parsed = parse_packet(text, set);
  EXPECT_THAT(parsed.said, testing::IsEmpty());
  return parsed.config;
}

}  // namespace weft
