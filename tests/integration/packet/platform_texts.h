#pragma once
// Parts of configurations that are put together to ones with an error.

#include <string>

namespace weft::test {

inline const std::string kTreeText = "fabric: packet\ntopology: { kind: tree, arity: 2, levels: 2 }\n";
inline const std::string kTorusText = "fabric: packet\ntopology: { kind: torus, dims: [4, 4] }\n";
inline const std::string kSendText = "traffic: [ { level: a, load: 0.1 } ]\n";
inline const std::string kPacketText = "qos: { levels: { a: { message: 640B }, b: { message: 64B } } }\n";

}  // namespace weft::test
