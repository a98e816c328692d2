// Sweep files: what they say, and every error at its place.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "schema/document.h"
#include "schema/yaml_tree.h"
#include "sweep/sweep_config.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Nine lines; what a test adds begins on line 10.
const std::string kGood = R"(sweep: net.yaml
axes:
  - { key: switch.slots, values: [8, 16] }
  - name: load
    points:
      - { label: light, value: 100us, set: { sources.interval: 100us, sources.message: 1kB } }
      - { label: heavy, value: 0.01ms, set: { sources: { interval: 10us } } }
seeds: 3
metrics: { latency: sections.run.latency_max, each: 'tables.t[flow=*,phase=main].x' }
)";

SweepConfig parse(const std::string& text, const Overrides& overrides = {}, bool quick = false) {
  return parse_sweep(text, "s.yaml", "", overrides, quick);
}

std::vector<std::string> errors(const std::string& text, const Overrides& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const InputError& e) {
    return test::texts(e.list());
  }
  return {};
}

std::vector<std::string> labels(const SweepAxis& axis) {
  std::vector<std::string> out;
  for (const AxisPoint& p : axis.points) out.push_back(p.label);
  return out;
}

TEST(SweepConfig, ReadsAxesSeedsAndMetrics) {
  const SweepConfig c = parse(kGood);
  ASSERT_EQ(c.axes.size(), 2U);
  EXPECT_EQ(c.axes[0].name, "slots");
  EXPECT_THAT(labels(c.axes[0]), ElementsAre("8", "16"));
  EXPECT_EQ(c.axes[0].points[1].set[0].assignment(), "switch.slots=16");
  EXPECT_EQ(c.axes[0].points[1].number, 16.0);
  EXPECT_EQ(c.axes[1].unit, "us");
  EXPECT_EQ(c.axes[1].points[0].number, 100.0);
  EXPECT_EQ(c.axes[1].points[1].number, 10.0) << "0.01ms in us";
  EXPECT_EQ(c.axes[1].points[0].set[1].assignment(), "sources.message=1kB");
  EXPECT_EQ(c.axes[1].points[1].set[0].assignment(), "sources={interval: 10us}");
  EXPECT_THAT(c.seeds, ElementsAre(1U, 2U, 3U));
  EXPECT_FALSE(c.metrics[0].path.table);
  EXPECT_EQ(c.metrics[1].path.place, "t");
  EXPECT_EQ(*c.metrics[1].path.each(), "flow");
  EXPECT_EQ(c.metrics[1].path.figure, "x");
}

TEST(SweepConfig, OverridesApplyToTheSweepFile) {
  EXPECT_THAT(parse(kGood, {"seeds=[7, 9]"}).seeds, ElementsAre(7U, 9U));
  EXPECT_THAT(labels(parse(kGood, {"axes.0.values=[32]"}).axes[0]), ElementsAre("32"));
}

TEST(SweepConfig, QuickTakesFewerPointsInTheOrderOfTheAxis) {
  const std::string text = kGood + "quick: { seeds: 1, set: { a.b: 2 }, axes: { load: [heavy], slots: [16, 8] } }\n";
  const SweepConfig all = parse(text);
  EXPECT_EQ(all.axes[1].points.size(), 2U);
  EXPECT_THAT(all.set, IsEmpty());
  const SweepConfig quick = parse(text, {}, true);
  EXPECT_THAT(labels(quick.axes[0]), ElementsAre("8", "16"));
  EXPECT_THAT(labels(quick.axes[1]), ElementsAre("heavy"));
  EXPECT_THAT(quick.seeds, ElementsAre(1U));
  EXPECT_EQ(parse(text, {"seeds=4"}, true).seeds.size(), 4U) << "the command line knows best";
  EXPECT_THROW(parse(kGood, {}, true), InputError) << "nothing says what to leave out";
  ASSERT_EQ(quick.set.size(), 1U);
  EXPECT_EQ(quick.set[0].assignment(), "a.b=2");
}

TEST(SweepConfig, FixedPointsFollowTheirPointIntoAQuickSweep) {
  const std::string plot = "plots: { p: { x: slots, y: latency, fixed: { load: heavy } } }\n";
  EXPECT_EQ(parse(kGood + plot).plots[0].fixed.at(1), 1U);
  EXPECT_EQ(parse(kGood + plot + "quick: { axes: { load: [heavy] } }\n", {}, true).plots[0].fixed.at(1), 0U);
  EXPECT_THAT(errors(kGood + plot + "quick: { axes: { load: [light] } }\n"),
              ElementsAre("s.yaml:11:18: error: quick.axes.load: the plot 'p' needs the point 'heavy'"));
}

TEST(SweepConfig, AllErrorsComeAtOnceWithTheirPlaces) {
  const std::string text = R"(sweeps: net.yaml
axes:
  - { key: switch.slots, values: [8, 8] }
  - { key: a.b }
  - { name: load, points: [ { set: { switch.slots: 4 } } ] }
seeds: [1, 1]
metrics: { m: run.latency, n: { path: 'tables.t[a=*,b=*].c', labels: x } }
)";
  EXPECT_THAT(errors(text),
              ElementsAre("s.yaml:1:1: error: unknown key 'sweeps' at the top level; did you mean 'sweep'?",
                          "s.yaml:1:1: error: required key 'sweep' is missing at the top level",
                          "s.yaml:3:38: error: axes.0: there are two points '8'",
                          "s.yaml:4:5: error: axes.1: expected either 'key' and 'values', or 'points'",
                          "s.yaml:5:52: error: axes.2: the axis 'slots' sets 'switch.slots' already",
                          "s.yaml:6:12: error: seeds: the seed 1 is there twice",
                          "s.yaml:7:15: error: metrics.m.path: expected 'sections.<section>.<figure>' or "
                          "'tables.<table>[<column>=<value>].<column>', got 'run.latency'",
                          "s.yaml:7:39: error: metrics.n.path: only one column can have the value '*', got "
                          "'tables.t[a=*,b=*].c'",
                          "s.yaml:7:62: error: unknown key 'labels' in section 'metrics.n'; did you mean 'label'?"));
}

TEST(SweepConfig, PlotsNameWhatIsThere) {
  const auto of = [](const std::string& plot) { return errors(kGood + "plots: { p: { " + plot + " } }\n"); };
  EXPECT_THAT(of("x: load, y: latency, series: slots"), IsEmpty());
  EXPECT_THAT(of("x: lod, y: latncy, series: slots"),
              ElementsAre("s.yaml:10:18: error: plots.p.x: there is no axis 'lod'; did you mean 'load'?",
                          "s.yaml:10:26: error: plots.p.y: there is no metric 'latncy'; did you mean 'latency'?"));
  EXPECT_THAT(of("x: load, y: latency"),
              ElementsAre("s.yaml:10:10: error: plots.p: axis 'slots' is neither x nor series; say at which point it "
                          "stays ('fixed: { slots: ... }')"));
  EXPECT_THAT(of("x: load, y: latency, fixed: { slots: 9 }"),
              ElementsAre("s.yaml:10:45: error: plots.p.fixed: there is no point on axis 'slots' that is called '9'; "
                          "expected one of: 8, 16"));
  EXPECT_THAT(of("x: load, y: latency, series: load"),
              ElementsAre(HasSubstr("plots.p.series: this axis is x already")));
  EXPECT_THAT(of("x: load, y: [latency, each], series: slots, kind: heat_map"),
              ElementsAre(HasSubstr("plots.p.y: a heat map shows exactly one metric")));
  EXPECT_THAT(of("x: load, y: latency, fixed: { slots: 8 }, kind: heat_map"),
              ElementsAre(HasSubstr("plots.p.kind: the vertical axis of a heat map is either")));
  EXPECT_THAT(of("x: load, y: each, fixed: { slots: 8 }, kind: heat_map"), IsEmpty());
  EXPECT_THAT(of("x: load, y: latency, series: slots, kind: bar"), ElementsAre(HasSubstr("did you mean 'bars'?")));
  EXPECT_THAT(of("x: slots, y: latency, series: load, x_scale: log"), IsEmpty());
  EXPECT_THAT(of("x: load, y: latency, series: slots, mark: each"), IsEmpty());
  EXPECT_THAT(of("x: load, y: latency, series: slots, mark: eac"),
              ElementsAre(HasSubstr("plots.p.mark: there is no metric 'eac'; did you mean 'each'?")));
  EXPECT_THAT(of("x: load, y: latency, series: slots, mark: each, kind: bars"),
              ElementsAre(HasSubstr("plots.p.mark: only lines have points to mark")));
}

// Errors of axes and metrics hide none of plots, and one of a plot not the next.
TEST(SweepConfig, ErrorsOfPlotsComeWithAllOthers) {
  const std::string text = R"(sweep: net.yaml
axes:
  - { key: switch.slots, values: [8, 16] }
  - { key: a.b }
  - { name: load, points: [ { label: heavy, set: { c: 4 } } ] }
metrics: { m: sections.run.latency, n: run.latency }
plots:
  p: { x: slots, y: [mm, m], series: slots, fixed: { load: light }, x_scale: lin }
  q: { kind: heat_map, x: load, y: [m, n], x_scale: log }
  r: { x: unread, y: m, title: 3, colour: red }
quick: { axes: { load: [hevy] } }
)";
  EXPECT_THAT(
      errors(text),
      ElementsAre(HasSubstr("s.yaml:4:5: error: axes.1: expected either 'key' and 'values', or 'points'"),
                  HasSubstr("s.yaml:6:40: error: metrics.n"),
                  HasSubstr("s.yaml:8:22: error: plots.p.y: there is no metric 'mm'"),
                  HasSubstr("s.yaml:8:38: error: plots.p.series: this axis is x already"),
                  HasSubstr("s.yaml:8:54: error: plots.p.fixed: there is no point on axis 'load' that is called "
                            "'light'"),
                  HasSubstr("s.yaml:8:78: error: plots.p.x_scale: unknown value 'lin'"),
                  HasSubstr("s.yaml:9:36: error: plots.q.y: a heat map shows exactly one metric"),
                  HasSubstr("s.yaml:9:53: error: plots.q.x_scale: log is for lines"),
                  HasSubstr("s.yaml:10:35: error: unknown key 'colour'"),
                  HasSubstr("s.yaml:11:25: error: quick.axes.load: there is no point on axis 'load'")));
}

// What an axis sets everywhere hides a key that is set for all points.
TEST(SweepConfig, KeysOfAxesAreNotSetBesides) {
  const std::string head = "sweep: n.yaml\nmetrics: { m: sections.a.b }\n";
  const std::string axes =
      "axes:\n  - { key: switch.slots, values: [8, 16] }\n"
      "  - { name: load, points: [ { label: a, set: { traffic: [x], c: 1 } }, { label: b, set: { traffic: [] } } ] }\n"
      "  - { name: links, points: [ { label: l, set: { link: { clock: 1GHz } } } ] }\n";
  EXPECT_THAT(
      errors(head + axes + "set: { switch.slots: 4, traffic.0.interval: 1us, c: 2, switch: { d: 1 } }\n"),
      ElementsAre(HasSubstr("s.yaml:7:22: error: set: the axis 'slots' sets 'switch.slots' at each of its points, so "
                            "this would have no effect; leave it out or change the axis"),
                  HasSubstr("s.yaml:7:45: error: set: the axis 'load' sets 'traffic.0.interval' at each of its")));
  // Sections are laid over each other key by key.
  EXPECT_THAT(errors(head + axes + "set: { link.lanes: 4, switch: { ports: 3, slots: 9 } }\n"),
              ElementsAre(HasSubstr("error: set: the axis 'slots' sets 'switch.slots' at each of its points")));
  EXPECT_THAT(errors(head + axes + "set: { link: { clock: 2GHz } }\n"),
              ElementsAre(HasSubstr("error: set: the axis 'links' sets 'link.clock' at each of its points")));
  EXPECT_THAT(errors(head + axes + "quick: { set: { switch.slots: 4 } }\n"),
              ElementsAre(HasSubstr("s.yaml:7:31: error: quick.set: the axis 'slots' sets 'switch.slots'")));
}

TEST(SweepConfig, KeysOfAxesAreFoundInListsThatAreSet) {
  const std::string text =
      "sweep: n.yaml\nmetrics: { m: sections.a.b }\naxes: [ { key: traffic.1.load, values: [0.1, 0.2] } ]\n";
  EXPECT_THAT(errors(text + "set: { traffic: [ { load: 0.5 }, { level: a, load: 0.5 } ] }\n"),
              ElementsAre(HasSubstr("s.yaml:4:17: error: set: the axis 'load' sets 'traffic.1.load' at each of its")));
  EXPECT_THAT(errors(text + "set: { traffic: [ { load: 0.5 }, { level: a } ] }\n"), IsEmpty());
}

// Two axes that set the same key, one of them inside a list or section, are refused in either order.
TEST(SweepConfig, AxesDoNotSetKeysInsideEachOther) {
  const std::string head = "sweep: n.yaml\nmetrics: { m: sections.a.b }\naxes:\n";
  const std::string list = "  - { name: list, points: [ { label: l, set: { traffic: [ { load: 1 } ] } } ] }\n";
  const std::string load = "  - { key: traffic.0.load, values: [0.1, 0.2] }\n";
  const std::string size = "  - { key: traffic.0.size, values: [1kB, 2kB] }\n";
  EXPECT_THAT(errors(head + list + load),
              ElementsAre("s.yaml:5:37: error: axes.1: the axis 'list' sets 'traffic.0.load' already"));
  EXPECT_THAT(errors(head + load + list),
              ElementsAre("s.yaml:5:57: error: axes.1: the axis 'load' sets 'traffic.0.load' already"));
  EXPECT_THAT(errors(head + list + size), IsEmpty());
  EXPECT_THAT(errors(head + size + list), IsEmpty());
  const std::string section = "  - { name: sw, points: [ { label: a, set: { switch: { slots: 4, ports: 2 } } } ] }\n";
  const std::string slots = "  - { key: switch.slots, values: [8, 16] }\n";
  EXPECT_THAT(errors(head + section + slots), ElementsAre(HasSubstr("axes.1: the axis 'sw' sets 'switch.slots'")));
  EXPECT_THAT(errors(head + slots + section), ElementsAre(HasSubstr("axes.1: the axis 'slots' sets 'switch.slots'")));
}

TEST(SweepConfig, AKeyIsSetOnceInASet) {
  const std::string head = "sweep: n.yaml\nmetrics: { m: sections.a.b }\n";
  const std::string axis = "axes: [ { key: x, values: [1, 2] } ]\n";
  EXPECT_THAT(errors(head + axis + "set: { traffic.0.load: 2, traffic: [ { load: 1, size: 1 } ] }\n"),
              ElementsAre("s.yaml:4:36: error: set: 'traffic.0.load' is set twice"));
  EXPECT_THAT(errors(head + axis + "set: { traffic.0.load: 2, traffic: [ { size: 1 } ] }\n"), IsEmpty());
  EXPECT_THAT(errors(head + "axes: [ { name: y, points: [ { label: p, set: { a: { b: 1 }, a.b: 2 } } ] } ]\n"),
              ElementsAre(HasSubstr("error: axes.0.points.0.set: 'a.b' is set twice")));
}

TEST(SweepConfig, PointsAreToldApartByWhatTheyMean) {
  const auto of = [](const std::string& values) {
    return errors("sweep: n.yaml\nmetrics: { m: sections.a.b }\naxes: [ { key: a.b, values: [" + values + "] } ]\n");
  };
  EXPECT_THAT(of("0.1, 0.2, 0.10"),
              ElementsAre("s.yaml:3:40: error: axes.0: the points '0.1' and '0.10' are the same"));
  EXPECT_THAT(of("5us, 6us, 5000ns"),
              ElementsAre("s.yaml:3:40: error: axes.0: the points '5us' and '5000ns' are the same"));
  EXPECT_THAT(of("auto, 1, 1.0"), ElementsAre(HasSubstr("the points '1' and '1.0' are the same")));
  EXPECT_THAT(of("5us, 5cycles, 5, 5KiB, auto, '*'"), IsEmpty());
  // Other points may stand at the same place.
  EXPECT_THAT(errors("sweep: n.yaml\nmetrics: { m: sections.a.b }\naxes: [ { name: x, points: [ "
                     "{ label: a, value: 1, set: { c: 1 } }, { label: b, value: 1.0, set: { c: 2 } } ] } ]\n"),
              IsEmpty());
}

TEST(SweepConfig, LogNeedsNumbers) {
  const std::string text =
      "sweep: n.yaml\naxes: [ { key: pattern, values: [tornado, ring] } ]\n"
      "metrics: { m: sections.a.b }\nplots: { p: { x: pattern, y: m, x_scale: log } }\n";
  EXPECT_THAT(errors(text), ElementsAre("s.yaml:4:42: error: plots.p.x_scale: log is for lines over an axis of numbers "
                                        "above 0"));
}

TEST(SweepConfig, SeedsAndNamesThatAreTaken) {
  const std::string metrics = "metrics: { m: sections.a.b }\n";
  EXPECT_THAT(errors("sweep: n.yaml\naxes: [ { key: seed, values: [1] } ]\n" + metrics),
              ElementsAre("s.yaml:2:16: error: axes.0.key: the seed is not set here; list seeds under 'seeds'"));
  EXPECT_THAT(errors("sweep: n.yaml\naxes: [ { key: x.status, values: [1] } ]\n" + metrics),
              ElementsAre("s.yaml:2:9: error: axes.0: the name 'status' is that of a column of the tables; give the "
                          "axis another 'name'"));
  for (const char* name : {"notes", "seeds", "noted", "message"}) {
    EXPECT_THAT(
        errors(std::string("sweep: n.yaml\naxes: [ { key: a.x, name: ") + name + ", values: [1] } ]\n" + metrics),
        ElementsAre(HasSubstr("is that of a column of the tables")));
    EXPECT_THAT(errors(std::string("sweep: n.yaml\naxes: [ { key: a.x, values: [1] } ]\nmetrics: { ") + name +
                       ": sections.a.b }\n"),
                ElementsAre(std::string("s.yaml:3:12: error: metrics: the name '") + name +
                            "' is that of a column of the tables"));
  }
  EXPECT_THAT(errors("sweep: n.yaml\naxes: [ { key: a.m_mean, values: [1] } ]\n" + metrics),
              ElementsAre("s.yaml:3:12: error: metrics: 'm' has a column m_mean, which is the name of an axis"));
  EXPECT_THAT(errors("sweep: n.yaml\naxes: [ { key: a.m, values: [1] } ]\n" + metrics),
              ElementsAre("s.yaml:3:12: error: metrics: 'm' is the name of an axis"));
  EXPECT_THAT(errors("sweep: n.yaml\naxes: [ { key: a.x, values: [1] } ]\nmetrics: { ../m: sections.a.b }\n"),
              ElementsAre(StartsWith("s.yaml:3:12: error: metrics: expected a name of letters")));
  EXPECT_THAT(errors("sweep: n.yaml\naxes: [ { key: a.x, values: [1] } ]\nmetrics: {}\n"),
              ElementsAre("s.yaml:3:10: error: metrics: expected at least one"));
  EXPECT_THAT(errors("fabric: tdm\n"),
              ElementsAre(StartsWith("s.yaml:1:1: error: this is a configuration, not a sweep")));
}

TEST(SweepConfig, AnAxisIsInTheUnitItStates) {
  const auto axis = [](const std::string& text) {
    return "sweep: n.yaml\naxes: [ { " + text + " } ]\nmetrics: { m: sections.run.x }\n";
  };
  EXPECT_EQ(parse(axis("unit: us, key: a.x, values: [1000ns, 2us]")).axes[0].points[0].number, 1.0);
  EXPECT_EQ(parse(axis("unit: flits per cycle, key: a.x, values: [1, 2]")).axes[0].unit, "flits per cycle");
  EXPECT_THAT(errors(axis("unit: GB, key: a.x, values: [1us, 2us]")),
              ElementsAre("s.yaml:2:17: error: axes.0.unit: '1us' is no number or quantity in GB"));
  EXPECT_THAT(errors(axis("unit: us, key: a.x, values: [1us, fast, slow]")),
              ElementsAre("s.yaml:2:17: error: axes.0.unit: 'fast' is no number or quantity in us"));
}

TEST(AxisNumber, QuantitiesAreConverted) {
  const auto value = [](const char* text, const char* unit) { return axis_number(text, unit)->value; };
  EXPECT_EQ(value("0.5", ""), 0.5);
  EXPECT_EQ(value("2kB", "B"), 2000);
  EXPECT_EQ(value("1KiB", "b"), 8192);
  EXPECT_EQ(value("100MHz", "GHz"), 0.1);
  EXPECT_EQ(value("12.5GB/s", "Gb/s"), 100);
  EXPECT_EQ(value("3cycles", "cycles"), 3);
  EXPECT_EQ(axis_number("7us", "")->unit, "us");
  EXPECT_EQ(value("12.5%", ""), 12.5);
  EXPECT_EQ(axis_number("12.5%", "")->unit, "%");
  EXPECT_FALSE(axis_number("12.5%", "us"));
  EXPECT_FALSE(axis_number("12us", "%"));
  EXPECT_FALSE(axis_number("7us", "B"));
  EXPECT_FALSE(axis_number("seven", ""));
  EXPECT_FALSE(axis_number("7 apples", ""));
}

// ---- values as text

bool same(const YamlNode& a, const YamlNode& b) {
  if (a.kind != b.kind || a.text != b.text || a.entries.size() != b.entries.size()) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (a.entries[i].key != b.entries[i].key || !same(a.entries[i].value, b.entries[i].value)) return false;
  }
  return true;
}

TEST(FlowText, IsReadBackAsTheSame) {
  for (const char* text : {"a", "''", "null", "'null'", "[1, 'a: b', {c: [], d: {}}]", "'it''s'", "\"a\\nb\\tc\\\\\"",
                           "{'a b': '#x', 'sw[0..3]': '- y'}", "'~'", "'*a'", "'&a'", "'!t'", "'%'", "'@'", "'true'"}) {
    const YamlNode node = parse_yaml(text, "t");
    const std::string flow = flow_text(node);
    EXPECT_TRUE(same(parse_yaml(flow, "t"), node)) << text << " became " << flow;
    EXPECT_EQ(flow.find('\n'), std::string::npos);
  }
}

TEST(FlowText, AnyTextIsReadBackAsTheSame) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& letters) {
    YamlNode node{YamlNode::Kind::scalar, {}, {}, {}};
    for (const std::uint8_t l : letters) node.text += static_cast<char>(' ' + l % 95);
    RC_ASSERT(same(parse_yaml(flow_text(node), "t"), node));
  }));
}

}  // namespace
}  // namespace weft
