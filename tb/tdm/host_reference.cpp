#include "tdm/host_reference.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace weft::pins {

std::uint32_t HostShape::slot_bits() const { return static_cast<std::uint32_t>(std::bit_width(slots - 1)); }

std::uint32_t HostShape::circuit_bits() const {
  return (links > 1 ? static_cast<std::uint32_t>(std::bit_width(links - 1)) : 1) + slot_bits();
}

HostInputs::HostInputs(const HostShape& shape)
    : message(shape.circuits),
      last(std::size_t{shape.circuits} * shape.size_bits),
      data(std::size_t{shape.links} * shape.width),
      in_valid(shape.links),
      in_last(shape.links),
      in_word(std::size_t{shape.links} * shape.width),
      out(shape.links),
      in(shape.links) {}

HostOutputs::Side::Side(const HostShape& shape)
    : valid(shape.links),
      circuit(std::size_t{shape.links} * shape.circuit_bits()),
      index(std::size_t{shape.links} * shape.size_bits),
      first(shape.links),
      last(shape.links),
      word(std::size_t{shape.links} * shape.width) {}

HostOutputs::HostOutputs(const HostShape& shape) : ready(shape.circuits), out(shape), in(shape), stray(shape.links) {}

std::string HostOutputs::text() const {
  const auto side = [](const char* name, const Side& s) {
    return fmt::format("{} valid {} circuit {} index {} first {} last {} word {}", name, s.valid.hex(), s.circuit.hex(),
                       s.index.hex(), s.first.hex(), s.last.hex(), s.word.hex());
  };
  return fmt::format("ready {} {} {} stray {} pending {} swapped {} {}", ready.hex(), side("out", out), side("rx", in),
                     stray.hex(), pending, swapped, in_swapped);
}

bool HostReference::Tables::change(std::uint32_t slot) {
  if (!pending || slot != 0) return false;
  std::swap(active, shadow);
  pending = false;
  return true;
}

void HostReference::Tables::end(const HostInputs& in, const HostColumn& column) {
  if (in.write) shadow[in.write_slot] = column;
  pending = pending || in.swap;
}

HostReference::HostReference(const HostShape& shape) : shape_(shape) { clear(); }

void HostReference::clear() {
  const std::vector<HostColumn> idle(shape_.labels(), HostColumn(shape_.links));
  out_ = in_ = {idle, idle};
  queues_.assign(shape_.circuits, {});
  index_.assign(shape_.circuits, 0);
  got_.assign(shape_.circuits, 0);
}

// Circuit that an entry names, if there is such a circuit.
std::optional<std::uint32_t> HostReference::circuit(const HostColumn& column, std::uint32_t link) const {
  return column[link] && *column[link] < shape_.circuits ? column[link] : std::nullopt;
}

void HostReference::keep_short(HostInputs& in) const {
  const HostColumn& column = in_.pending && in.label == 0 ? in_.shadow[0] : in_.active[in.label];
  const std::uint64_t longest = (std::uint64_t{1} << shape_.size_bits) - 1;
  for (std::uint32_t link = 0; link < shape_.links; ++link) {
    const auto c = circuit(column, link);
    if (c && got_[*c] == longest) in.in_last.set(link, 1, 1);
  }
}

HostOutputs HostReference::step(const HostInputs& in) {
  HostOutputs out(shape_);
  out.pending = pending();
  out.swapped = out_.change(in.slot);
  out.in_swapped = in_.change(in.label);
  for (std::uint32_t c = 0; c < shape_.circuits; ++c) {
    const bool ready = queues_[c].size() < shape_.messages;
    out.ready.set(c, 1, ready ? 1 : 0);
    if (ready && in.message.get(c, 1) != 0) {
      queues_[c].push_back(in.last.get(std::size_t{c} * shape_.size_bits, shape_.size_bits));
    }
  }
  const auto show = [&](HostOutputs::Side& side, std::uint32_t link, std::uint32_t circuit, std::uint64_t index,
                        bool last, const Bits& words) {
    side.valid.set(link, 1, 1);
    side.circuit.set(std::size_t{link} * shape_.circuit_bits(), shape_.circuit_bits(), circuit);
    side.index.set(std::size_t{link} * shape_.size_bits, shape_.size_bits, index);
    side.first.set(link, 1, index == 0 ? 1 : 0);
    side.last.set(link, 1, last ? 1 : 0);
    const std::size_t low = std::size_t{link} * shape_.width;
    side.word.insert(low, words.slice(low, shape_.width));
  };
  for (std::uint32_t link = 0; link < shape_.links; ++link) {
    if (const auto c = circuit(out_.active[in.slot], link); c && !queues_[*c].empty()) {
      const bool last = index_[*c] == queues_[*c].front();
      show(out.out, link, *c, index_[*c], last, in.data);
      ++index_[*c];
      ++sent_;
      if (last) {
        queues_[*c].pop_front();
        index_[*c] = 0;
      }
    }
    if (in.in_valid.get(link, 1) == 0) continue;
    if (const auto c = circuit(in_.active[in.label], link)) {
      const bool last = in.in_last.get(link, 1) != 0;
      show(out.in, link, *c, got_[*c], last, in.in_word);
      got_[*c] = last ? 0 : got_[*c] + 1;
      ++received_;
    } else {
      out.stray.set(link, 1, 1);
    }
  }
  out_.end(in, in.out);
  in_.end(in, in.in);
  if (!in.reset_n) clear();
  return out;
}

}  // namespace weft::pins
