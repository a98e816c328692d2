// What names places of the network: ports, faults, waves.

#include <fmt/format.h>

#include <charconv>

#include "config/qos_resolver.h"

namespace weft {

std::optional<PortRange> QosResolver::port_range(const std::string& text, const Location& where,
                                                 const std::string& path) {
  PortRange out;
  out.where = where;
  out.text = text;
  const char* p = text.data();
  const char* const end = p + text.size();
  const auto skip = [&](std::string_view word) {
    if (static_cast<std::size_t>(end - p) < word.size() || std::string_view(p, word.size()) != word) return false;
    p += word.size();
    return true;
  };
  const auto number = [&](std::uint32_t& n) {
    const auto [stop, error] = std::from_chars(p, end, n);
    p = stop;
    return error == std::errc();
  };
  bool ok = true;
  if (skip("nic[")) {
    out.nic = true;
  } else {
    ok = skip("sw[");
  }
  ok = ok && number(out.first);
  out.last = out.first;
  if (ok && skip("..")) ok = number(out.last);
  ok = ok && skip("]") && out.first <= out.last;
  if (ok && !out.nic && skip(".port")) {
    out.port = 0;
    ok = number(*out.port);
  }
  if (ok && p == end) return out;
  diagnostics_.error(where, fmt::format("{}: expected ports such as 'sw[0..3]', 'sw[5].port2' or 'nic[7]', "
                                        "got '{}'",
                                        path, text));
  return std::nullopt;
}

void QosResolver::faults() {
  warn_unused(raw_.routing.value.no_way, !raw_.faults.value.empty(), "routing.no_way has no effect without faults",
              diagnostics_);
  out_.no_way = raw_.routing.value.no_way.value;
  const bool iq = out_.packet_switch.architecture == PacketArchitecture::iq;
  if (iq && !raw_.faults.value.empty()) {
    diagnostics_.error(raw_.faults.key_where, "faults: architecture 'iq' has no links that fail");
    return;
  }
  for (std::size_t i = 0; i < raw_.faults.value.size(); ++i) {
    const auto& entry = raw_.faults.value[i];
    const RawPacketFault& r = entry.value;
    if (!entry.valid || !r.at.valid || !r.down.valid || (r.up.given && !r.up.valid)) continue;
    const std::string path = fmt::format("faults.{}", i);
    const auto place = port_range(r.at.value, r.at.where, path + ".at");
    if (!place) continue;
    if (place->first != place->last) {
      diagnostics_.error(r.at.where, fmt::format("{}.at: expected one place, got '{}'", path, r.at.value));
      continue;
    }
    PacketFaultConfig fault{*place, cycles(r.down), {}};
    if (r.up.given) fault.up = cycles(r.up);
    if (fault.up && *fault.up <= fault.down) {
      diagnostics_.error(
          r.up.where, fmt::format("{}.up: must be after down (cycle {}), got cycle {}", path, fault.down, *fault.up));
      continue;
    }
    out_.faults.push_back(std::move(fault));
  }
}

void QosResolver::waves() {
  const RawQosWaves& r = raw_.observe.value.waves.value;
  for (const auto& text : r.switches.value) {
    if (auto place = port_range(text.value, text.where, "observe.waves.switches")) {
      out_.waves.places.push_back(std::move(*place));
    }
  }
  out_.waves.from = r.from.value;
  if (r.until.given) out_.waves.until = r.until.value;
  if (r.until.valid && r.from.valid && r.until.given && r.until.value <= r.from.value) {
    diagnostics_.error(r.until.where, fmt::format("observe.waves.until: must be after from ({}), got '{}'",
                                                  to_string(r.from.value), to_string(r.until.value)));
  }
}

}  // namespace weft
