#include "fabrics/optweb/keys/optweb_errors.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/optweb/faults/link_timeline.h"
#include "schema/value_form.h"

namespace weft {
namespace {

constexpr double kLeastRate = 1e-18;
constexpr double kMostRate = 1e-2;
constexpr double kMostBadFrames = 0.5;

Type<double> error_rate_type() {
  TypeInfo info;
  info.name = "error rate";
  info.range = "1e-18 to 0.01";
  info.form = decimal_form("1e-18", "0.01");
  return {
      std::move(info),
      [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<double> {
        const char* const what = "a bit error rate from 1e-18 to 0.01, such as 1e-12";
        const std::optional<std::string> text = read_scalar(node, path, what, diagnostics);
        if (!text) return std::nullopt;
        double value = 0;
        const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (problem == std::errc() && end == text->data() + text->size() && value >= kLeastRate && value <= kMostRate) {
          return value;
        }
        diagnostics.error(node.where, fmt::format("{}: expected {}, got '{}'", path, what, *text));
        return std::nullopt;
      }};
}

}  // namespace

Section<RawOptwebErrors> errors_section() {
  Section<RawOptwebErrors> s("errors",
                             "Bit errors of all links, each direction with a random stream of its own. A bad frame is "
                             "found by its check sum, and is repeated with all that follow it (go-back-n).");
  s.key("rate", &RawOptwebErrors::rate, error_rate_type(), required(),
        "Probability that a bit of a word is wrong, behind the error correction of the IP.");
  s.key(
      "check", &RawOptwebErrors::check, whole<std::uint32_t>(8, 64), by_default("32"),
      "Bits of the check sum of a frame: of bad frames 2^-check are not found. The report says how many that are; the "
      "model finds all of them.");
  return s;
}

void resolve_errors(const Given<RawOptwebErrors>& errors, std::uint32_t word_bytes, OptwebLinkConfig& out,
                    Diagnostics& diagnostics) {
  const RawOptwebErrors& e = errors.value;
  if (!errors.valid || !e.rate.valid || !e.check.valid) return;
  const std::uint64_t bits = out.frame * word_bytes * 8;
  const double bad = optweb::frame_error_probability(e.rate.value, bits);
  if (bad > kMostBadFrames) {
    diagnostics.error(
        e.rate.where,
        fmt::format("link.errors.rate: {:.0f}% of the frames of {} bits would be bad, and {:.0f}% are the "
                    "most with which a link works; a lower rate, or a shorter link.frame",
                    100 * bad, bits, 100 * kMostBadFrames));
    return;
  }
  out.errors = OptwebLinkErrors{errors.key_where, e.rate.value, e.check.value};
}

}  // namespace weft
