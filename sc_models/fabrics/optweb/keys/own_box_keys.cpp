#include "fabrics/optweb/keys/own_box_keys.h"

namespace weft {
namespace {

constexpr std::size_t kMostBoxes = 16;  // in one place

std::optional<OptwebOwnBox> box_of(const Given<std::string>& raw) {
  if (!raw.given) return {};
  return OptwebOwnBox{raw.value, raw.where};
}

std::optional<std::vector<OptwebOwnBox>> boxes_of(const Given<std::vector<Placed<std::string>>>& raw) {
  if (!raw.given) return {};
  std::vector<OptwebOwnBox> out;
  for (const Placed<std::string>& b : raw.value) {
    if (b.valid) out.push_back({b.value, b.where});
  }
  return out;
}

}  // namespace

Section<RawOwnBoxes> own_boxes_section(const std::string& meaning, const std::string& otherwise) {
  const auto unless = [&](const std::string& by_itself) { return optional(otherwise.empty() ? by_itself : otherwise); };
  Section<RawOwnBoxes> s("boxes", meaning);
  s.key(
      "reduction", &RawOwnBoxes::reduction, word_type(), unless("Weft's own"),
      "In place of the reduction unit, for another operation or type; gets the 'combine' and 'type' of instructions.");
  s.key("sent", &RawOwnBoxes::sent, list_of(word_type(), 0, kMostBoxes), unless("no box"),
        "Between readers and distributors, in the order in which words pass them.");
  s.key("received", &RawOwnBoxes::received, list_of(word_type(), 0, kMostBoxes), unless("no box"),
        "Between the N x N switch and reduction unit or writers, in the order in which words pass them.");
  s.key("user_logic", &RawOwnBoxes::user_logic, word_type(), unless("takes the time of the instruction"),
        "User logic that 'compute' starts, behind the changeover switch.");
  return s;
}

OptwebOwnBoxes resolve_own_boxes(const Given<RawOwnBoxes>& raw) {
  const RawOwnBoxes& r = raw.value;
  return {box_of(r.reduction), box_of(r.user_logic), boxes_of(r.sent), boxes_of(r.received)};
}

}  // namespace weft
