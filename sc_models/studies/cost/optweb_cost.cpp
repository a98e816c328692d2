#include "studies/cost/optweb_cost.h"

#include <fmt/format.h>

#include "base/text.h"
#include "schema/document.h"
#include "schema/schema_types.h"
#include "studies/cost/cost_origins.h"
#include "studies/cost/light_keys.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostCents = 100'000'000;
constexpr std::uint64_t kWhole = 1'000'000;  // ppm
constexpr std::uint64_t kMostPieces = 1'000'000;
constexpr std::uint32_t kMostNodes = 4096;
constexpr std::uint64_t kMostAlms = 100'000'000;
constexpr std::uint32_t kMostBlocks = 10'000;

struct RawPart {
  Given<std::string> name;
  Given<std::uint64_t> price;
  Given<std::uint64_t> per_node;
};

struct RawLogic {
  Given<std::string> name;
  Given<std::uint64_t> alms;
  Given<std::uint32_t> count;
};

struct RawFpga {
  Given<std::uint64_t> price;
  Given<std::uint64_t> share;
  Given<std::uint64_t> alms;
  Given<std::uint64_t> size;
  Given<std::vector<Placed<RawLogic>>> blocks;
};

struct RawCost {
  Given<std::string> title;
  Given<std::vector<Placed<std::string>>> base;  // only described here; schema/document.h reads it
  Given<std::uint32_t> nodes;
  Given<Rate> node_bandwidth;
  Given<std::uint64_t> packet_network;
  Given<std::uint64_t> transceiver;
  Given<std::uint64_t> optics;
  Given<std::vector<Placed<RawPart>>> parts;
  Given<RawFpga> fpga;
  Given<std::uint64_t> fibre;
  Given<std::uint64_t> direct_fibre;
  Given<std::uint32_t> most_nodes;
  Given<std::uint32_t> links;
  Given<std::uint64_t> change;
  Given<RawCostOrigins> origins;
  Given<RawLight> light;
};

Type<std::uint64_t> dollars() { return decimal_type(2, 0, kMostCents); }

Section<RawCost> cost_section() {
  Section<RawPart> part("parts", "One kind of part of the shared optics of W-OH.");
  part.key("name", &RawPart::name, text_type(), required(), "Name of the part.");
  part.key("price", &RawPart::price, dollars(), required(), "$ a piece.");
  part.key("per_node", &RawPart::per_node, decimal_type(3, 0, kMostPieces), required(),
           "Pieces per node, its part of those that nodes share.");

  Section<RawLogic> block("blocks", "Logic of the network in an FPGA by its size, as synthesis gives it.");
  block.key("name", &RawLogic::name, text_type(), required(), "Name of the block.");
  block.key("alms", &RawLogic::alms, whole<std::uint64_t>(0, kMostAlms), required(), "ALMs of one.");
  block.key("count", &RawLogic::count, whole<std::uint32_t>(1, kMostBlocks), by_default("1"), "How many an FPGA has.");

  Section<RawFpga> fpga("fpga", "The FPGA's part of the network.");
  fpga.key("price", &RawFpga::price, dollars(), by_default("1250"), "$ per device.");
  fpga.key("share", &RawFpga::share, decimal_type(6, 0, kWhole), by_default("0.96"),
           "Part of the device that the network is charged for.");
  fpga.key("alms", &RawFpga::alms, decimal_type(6, 0, kWhole), by_default("0.577"),
           "Part of the device's logic (ALMs) that the network takes; gives the other total.");
  fpga.key("size", &RawFpga::size, whole<std::uint64_t>(1, kMostAlms), by_default("702720"),
           "ALMs of the device, for blocks; by default those of a Stratix 10 MX 2100.");
  fpga.key("blocks", &RawFpga::blocks, list_of(block.type(), 0, kAnyCount), by_default("[]"),
           "Logic of the network block by block, such as by scripts/synthesis --fpga: its sum replaces alms.");

  Section<RawCost> s("", "Keys at the top level.");
  s.key("title", &RawCost::title, text_type(), by_default("'Cost of an OPTWEB network'"), "Title of the report.");
  s.key("base", &RawCost::base, bases_type(), optional("this file stands alone"),
        "File (or list of them) this one is laid over, relative to this file.");
  s.key("nodes", &RawCost::nodes, whole<std::uint32_t>(2, kMostNodes), by_default("32"),
        "Nodes of the network whose cost is split into parts.");
  s.key("node_bandwidth", &RawCost::node_bandwidth, rate_type({1'000'000'000}, {1'000'000'000'000'000}),
        by_default("800Gb/s"), "Network bandwidth of a node.");
  s.key("packet_network", &RawCost::packet_network, dollars(), by_default("9"),
        "$ per Gb/s of the packet network (InfiniBand) it is compared with.");
  s.key("transceiver", &RawCost::transceiver, dollars(), by_default("1"), "$ per Gb/s of the optical transceivers.");
  s.key("optics", &RawCost::optics, dollars(), optional("the sum of the parts"),
        "$ per Gb/s of the light sources, filters, amplifiers and splitters of W-OH.");
  s.key("parts", &RawCost::parts, list_of(part.type(), 1, kAnyCount),
        by_default("[{name: light source, price: 400, per_node: 1}, {name: WDM filter, price: 90, per_node: 2}, "
                   "{name: EDFA, price: 500, per_node: 2}, {name: splitter, price: 432, per_node: 2}]"),
        "The shared optics of W-OH, piece by piece.");
  s.section("fpga", &RawCost::fpga, fpga);
  s.key("fibre", &RawCost::fibre, dollars(), by_default("76"), "$ per fibre of P-OH, with its part of the connectors.");
  s.key("direct_fibre", &RawCost::direct_fibre, dollars(), optional("direct wiring has no cost, only a fibre count"),
        "$ per fibre of direct wiring.");
  s.key("most_nodes", &RawCost::most_nodes, whole<std::uint32_t>(2, kMostNodes), by_default("64"),
        "Largest number of nodes in the curves.");
  s.key("links", &RawCost::links, whole<std::uint32_t>(1, kMostNodes), by_default("64"),
        "k, links of an FPGA, for the sizes of dragonflies.");
  s.key("change", &RawCost::change, percentage_type(4, 0, kWhole), by_default("20%"),
        "Change of each input, down and up, in the sensitivity table.");
  s.key("origins", &RawCost::origins, list_of(cost_origin_section().type(), 0, kAnyCount), by_default("[]"),
        "Origins of the figures in this file; those of the defaults are known.");
  s.section("light", &RawCost::light, light_section());
  return s;
}

std::string unit_text(std::int64_t value, int decimals, const char* unit) {
  return (value < 0 ? "-" : "") + decimal_text(static_cast<std::uint64_t>(value < 0 ? -value : value), decimals) + unit;
}

// The figures that results follow from.
std::vector<CostFigure> figures_of(const RawCost& raw) {
  const auto money = [](const Given<std::uint64_t>& v, const char* unit) { return decimal_text(v.value, 2) + unit; };
  const RawFpga& fpga = raw.fpga.value;
  const RawLight& light = raw.light.value;
  std::vector<CostFigure> out{{"node_bandwidth", &raw.node_bandwidth, to_string(raw.node_bandwidth.value)},
                              {"packet_network", &raw.packet_network, money(raw.packet_network, " $/(Gb/s)")},
                              {"transceiver", &raw.transceiver, money(raw.transceiver, " $/(Gb/s)")}};
  out.push_back({"optics", &raw.optics, money(raw.optics, " $/(Gb/s)"), raw.optics.given});
  out.push_back({"parts", &raw.parts, fmt::format("{} parts", raw.parts.value.size())});
  out.push_back({"fpga.price", &fpga.price, money(fpga.price, " $")});
  out.push_back({"fpga.share", &fpga.share, decimal_text(fpga.share.value, 6)});
  out.push_back({"fpga.alms", &fpga.alms, decimal_text(fpga.alms.value, 6)});
  const bool blocks = !fpga.blocks.value.empty();
  out.push_back({"fpga.size", &fpga.size, fmt::format("{} ALMs", fpga.size.value), blocks});
  out.push_back({"fpga.blocks", &fpga.blocks, fmt::format("{} blocks", fpga.blocks.value.size()), blocks});
  out.push_back({"fibre", &raw.fibre, money(raw.fibre, " $")});
  out.push_back({"direct_fibre", &raw.direct_fibre, money(raw.direct_fibre, " $"), raw.direct_fibre.given});
  out.push_back({"links", &raw.links, std::to_string(raw.links.value)});
  out.push_back({"light.lane", &light.lane, to_string(light.lane.value)});
  out.push_back({"light.first", &light.first, unit_text(light.first.value, 4, "THz")});
  out.push_back({"light.spacing", &light.spacing, unit_text(light.spacing.value, 1, "GHz")});
  out.push_back({"light.band", &light.band, unit_text(light.band.value, 2, "nm")});
  out.push_back({"light.launch", &light.launch, unit_text(light.launch.value, 2, "dBm")});
  out.push_back({"light.sensitivity", &light.sensitivity, unit_text(light.sensitivity.value, 2, "dBm")});
  out.push_back({"light.overload", &light.overload, unit_text(light.overload.value, 2, "dBm")});
  out.push_back({"light.margin", &light.margin, unit_text(light.margin.value, 2, "dB")});
  out.push_back({"light.edge_loss", &light.edge_loss, unit_text(light.edge_loss.value, 2, "dB")});
  out.push_back({"light.shortest", &light.shortest, unit_text(light.shortest.value, 2, "m")});
  out.push_back({"light.longest", &light.longest, unit_text(light.longest.value, 2, "m")});
  out.push_back({"light.fibre_loss", &light.fibre_loss, unit_text(light.fibre_loss.value, 2, "dB/km")});
  return out;
}

template <class T>
std::optional<T> if_given(const Given<T>& key) {
  return key.given ? std::optional<T>(key.value) : std::nullopt;
}

void resolve_blocks(const RawFpga& raw, OptwebCostConfig& out, Diagnostics& diagnostics) {
  out.fpga_size = raw.size.value;
  std::uint64_t sum = 0;
  for (const Placed<RawLogic>& b : raw.blocks.value) {
    out.blocks.push_back({b.value.name.value, b.value.alms.value, b.value.count.value});
    sum += out.blocks.back().all();
    if (!raw.size.valid || sum <= out.fpga_size) continue;
    diagnostics.error(b.where, fmt::format("fpga.blocks: {} ALMs up to '{}'; the device has {} (fpga.size)", sum,
                                           out.blocks.back().name, out.fpga_size));
    return;
  }
  if (out.blocks.empty()) {
    if (raw.size.given) diagnostics.warning(raw.size.where, "fpga.size has no effect without fpga.blocks");
    return;
  }
  // In the file below it the share is what the blocks are meant to replace.
  const std::string& said_in = raw.alms.where.file;
  if (raw.alms.given && (said_in == raw.blocks.where.file || said_in.starts_with("--set"))) {
    diagnostics.warning(raw.alms.where, "fpga.alms has no effect beside fpga.blocks, whose sum replaces it");
  }
  out.fpga_alms = (sum * kWhole + out.fpga_size / 2) / out.fpga_size;
}

OptwebCostConfig resolve(const RawCost& raw, Diagnostics& diagnostics) {
  OptwebCostConfig out;
  out.title = raw.title.value;
  out.nodes = raw.nodes.value;
  out.node_bandwidth = raw.node_bandwidth.value;
  out.packet_network = raw.packet_network.value;
  out.transceiver = raw.transceiver.value;
  out.optics = if_given(raw.optics);
  for (const Placed<RawPart>& p : raw.parts.value) {
    out.parts.push_back({p.value.name.value, p.value.price.value, p.value.per_node.value});
  }
  out.fpga_price = raw.fpga.value.price.value;
  out.fpga_share = raw.fpga.value.share.value;
  out.fpga_alms = raw.fpga.value.alms.value;
  resolve_blocks(raw.fpga.value, out, diagnostics);
  out.fibre = raw.fibre.value;
  out.direct_fibre = if_given(raw.direct_fibre);
  out.most_nodes = raw.most_nodes.value;
  out.links = raw.links.value;
  out.change = raw.change.value;
  out.inputs = cost_inputs(figures_of(raw), raw.origins.value, diagnostics);
  if (const auto light = resolve_light(raw.light.value, diagnostics); light && diagnostics.ok()) {
    out.light = *light;
    if (optweb::full_mesh_possible(out)) {
      check_light(*light, raw.light, out.nodes, out.node_bandwidth, diagnostics);
    }
  }
  if (raw.nodes.valid && raw.links.valid && out.nodes - 1 > out.links) {
    diagnostics.warning(raw.nodes.given ? raw.nodes.where : raw.links.where,
                        fmt::format("nodes: {} fully connected nodes need {} links each, an FPGA has {} ('links')",
                                    out.nodes, out.nodes - 1, out.links));
  }
  if (raw.most_nodes.given && raw.most_nodes.valid && raw.links.valid && out.most_nodes - 1 > out.links) {
    diagnostics.warning(raw.most_nodes.where,
                        fmt::format("most_nodes: from {} nodes on a full mesh needs more links than the {} of an FPGA "
                                    "('links'); the column 'buildable' of wiring.csv says so",
                                    out.links + 2, out.links));
  }
  return out;
}

}  // namespace

OptwebCostConfig read_optweb_cost(ConfigDocument document, const std::string& file, const Overrides& overrides,
                                  Diagnostics& diagnostics) {
  return read_checked(std::move(document), overrides, diagnostics, [&](const ConfigDocument& d, Diagnostics& own) {
    OptwebCostConfig out = resolve(cost_section().read(d.root, "", own), own);
    out.file = file;
    return out;
  });
}

OptwebCostConfig load_optweb_cost(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics) {
  return read_optweb_cost(load_document(file), file, overrides, diagnostics);
}

OptwebCostConfig parse_optweb_cost(const std::string& text, const std::string& name, const std::string& folder,
                                   const Overrides& overrides, Diagnostics& diagnostics) {
  return read_optweb_cost(parse_document(text, name, folder), name, overrides, diagnostics);
}

std::shared_ptr<const SectionInfo> optweb_cost_keys() { return cost_section().info(); }

}  // namespace weft
