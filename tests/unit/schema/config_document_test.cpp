// Included files, overrides, and text that is no YAML.

#include "schema/document.h"

#include <fstream>

#include "base/implementation.h"
#include "base/text.h"
#include "network/topology/topologies.h"
#include "run/tdm/tdm_family.h"
#include "unit/schema/config_support.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using test::errors_of;
using test::kData;
using test::kHead;
using test::parse;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;

// A folder of its own per test, removed afterwards.
class ConfigFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("weft-") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_ / "sub");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> errors(const std::string& name, const Overrides& overrides = {}) {
    Diagnostics diagnostics;
    try {
      load_tdm_config(path(name), overrides, diagnostics);
    } catch (const InputError& e) {
      return test::texts(e.list());
    }
    return {};
  }
  fs::path folder_;
};

TEST(ConfigBase, MergesFilesInOrder) {
  Diagnostics diagnostics;
  const TdmConfig c = load_tdm_config(kData + "/config/child.yaml", {}, diagnostics);
  EXPECT_EQ(c.title, "child");
  EXPECT_THAT(c.topology.numbers("dims"), ElementsAre(2, 2));  // lists are replaced whole
  EXPECT_EQ(c.topology.kind->name, "mesh");
  EXPECT_EQ(c.tdm_switch.clock.hz, 500'000'000);  // the later base
  EXPECT_EQ(c.tdm_switch.lanes, 8U);
  EXPECT_EQ(c.tdm_switch.slots, 32U);
  ASSERT_EQ(c.tdm_switch.instances.size(), 2U);
  EXPECT_EQ(c.tdm_switch.instances[0].range.where.text(), kData + "/config/base/common.yaml:7:5");
  EXPECT_EQ(c.tdm_switch.instances[1].range.where.text(), kData + "/config/child.yaml:7:5");
  EXPECT_EQ(c.phases[0].circuits[0].where.text(), kData + "/config/traffic.txt:2:1");
}

TEST_F(ConfigFiles, ErrorsPointIntoTheFileThatSaysIt) {
  write("sub/base.yaml", "fabric: tdm\npattern: tornado\nswitch:\n  lanes: 99\ncircuits_file: missing.txt\n");
  write("top.yaml", "base: sub/base.yaml\ntopology: { kind: mesh, dims: [2] }\npattern: null\nswitch: { slots: 1 }\n");
  EXPECT_THAT(errors("top.yaml"),
              testing::UnorderedElementsAre(
                  path("sub/base.yaml") + ":4:10: error: switch.lanes: expected a whole number from 1 to 64, got '99'",
                  path("top.yaml") + ":4:18: error: switch.slots: expected a whole number from 2 to 4096, got '1'",
                  path("sub/base.yaml") + ":5:16: error: circuits_file: " + path("sub/missing.txt") +
                      ": cannot be read: No such file or directory"));
}

TEST_F(ConfigFiles, CyclesAreReportedWithTheirChain) {
  write("a.yaml", "base: sub/b.yaml\n");
  write("sub/b.yaml", "title: x\nbase: ../c.yaml\n");
  write("c.yaml", "base: [./sub/../a.yaml]\n");
  EXPECT_THAT(errors("a.yaml"),
              ElementsAre(path("c.yaml") + ":1:8: error: base: files include each other: " + path("a.yaml") + " -> " +
                          path("sub/b.yaml") + " -> " + path("c.yaml") + " -> " + path("a.yaml")));
  write("self.yaml", "base: self.yaml\n");
  EXPECT_THAT(errors("self.yaml"), ElementsAre(HasSubstr("include each other")));
}

TEST_F(ConfigFiles, DiamondsAreNoCycles) {
  write("root.yaml", kHead);
  write("l.yaml", "base: root.yaml\n");
  write("r.yaml", "base: root.yaml\n");
  write("top.yaml", "base: [l.yaml, r.yaml]\n");
  EXPECT_THAT(errors("top.yaml"), SizeIs(0));
}

// Each names the one below twice; read anew each time, f30 would be 2^30 files.
TEST_F(ConfigFiles, EachIsReadOnce) {
  write("f0.yaml", kHead);
  for (int i = 1; i <= 30; ++i) {
    const std::string below = "f" + std::to_string(i - 1) + ".yaml";
    write("f" + std::to_string(i) + ".yaml", "base: [" + below + ", " + below + "]\n");
  }
  EXPECT_THAT(errors("f30.yaml"), SizeIs(0));
}

TEST_F(ConfigFiles, IncludingWithoutEndIsStopped) {
  write("f0.yaml", kHead);
  for (int i = 1; i <= 65; ++i) {
    write("f" + std::to_string(i) + ".yaml", "base: f" + std::to_string(i - 1) + ".yaml\n");
  }
  EXPECT_THAT(errors("f64.yaml"), SizeIs(0));
  EXPECT_THAT(errors("f65.yaml"), ElementsAre(HasSubstr("more than 64 files")));
}

TEST_F(ConfigFiles, ManyKeysAreLaidOverManyKeys) {
  std::string below, above = "base: below.yaml\n" + kHead;
  for (int i = 0; i < 20'000; ++i) {
    below += "k" + std::to_string(i) + ": 1\n";
    above += "k" + std::to_string(i) + ": null\n";
  }
  write("below.yaml", below);
  write("above.yaml", above);
  EXPECT_THAT(errors("above.yaml"), SizeIs(0)) << "each of them takes one away";
}

TEST_F(ConfigFiles, BadBases) {
  write("missing.yaml", "title: x\nbase: none.yaml\n");
  EXPECT_THAT(errors("missing.yaml"), ElementsAre(path("missing.yaml") + ":2:7: error: base: " + path("none.yaml") +
                                                  ": cannot be read: No such file or directory"));
  write("number.yaml", "base: { a: 1 }\n");
  EXPECT_THAT(errors("number.yaml"), ElementsAre(HasSubstr(":1:7: error: base: expected a file name or a list")));
  write("empty.yaml", "base:\n");
  EXPECT_THAT(errors("empty.yaml"), ElementsAre(HasSubstr(":1:1: error: base: expected a file name")));
  write("nothing.yaml", "");
  write("above.yaml", "base: nothing.yaml\n");
  EXPECT_THAT(errors("above.yaml"),
              ElementsAre(path("nothing.yaml") + ":1:1: error: the file is empty; a configuration begins with "
                                                 "'fabric: ...'"));
  EXPECT_THAT(errors("."), ElementsAre(HasSubstr("is a folder")));
  EXPECT_THAT(errors("no.yaml"), ElementsAre(path("no.yaml") + ": error: cannot be read: No such file or directory"));
}

TEST(ConfigOverrides, ReplaceAndAdd) {
  const TdmConfig c = parse(kHead + "switch: { slots: 4 }\n",
                            {"switch.slots=16", "switch.clock=200MHz", "topology.dims=[3, 5]", "title='a: b'",
                             "switch.instances.sw[0..3].slot_lut.implementation=rtl", "seed=7", "run={measure: 5us}",
                             "switch.slots=32", "observe.waves.until=3us"});
  EXPECT_EQ(c.tdm_switch.slots, 32U);
  EXPECT_EQ(c.tdm_switch.clock.hz, 200'000'000);
  EXPECT_THAT(c.topology.numbers("dims"), ElementsAre(3, 5));
  EXPECT_EQ(c.title, "a: b");
  EXPECT_EQ(c.tdm_switch.implementations(2).slot_lut.implementation, Implementation::rtl);
  EXPECT_EQ(c.seed, 7U);
  EXPECT_EQ(c.run.measure.ps, 5'000'000);
  EXPECT_EQ(c.observe.waves.times.until->ps, 3'000'000);
}

TEST(ConfigOverrides, ReachIntoLists) {
  const std::string phases =
      test::kBare + "phases:\n  - { name: a, pattern: tornado }\n  - { name: b, pattern: tornado }\n";
  const TdmConfig c = parse(phases, {"phases.1.sources.message=2KiB", "phases.0.pattern=shuffle"});
  EXPECT_EQ(c.phases[1].sources.message.bits, 2 * 8192);
  EXPECT_EQ(c.phases[0].pattern, "shuffle");
  EXPECT_EQ(c.phases[0].pattern_where.text(), "--set phases.0.pattern=shuffle");
  EXPECT_THAT(errors_of(phases, {"phases.2.name=c"}),
              ElementsAre("--set phases.2.name=c: error: 'phases' is a list of 2; expected an index from 0 to 1, got "
                          "'2'"));
  EXPECT_THAT(errors_of(phases, {"phases.00.name=c"}),
              ElementsAre(HasSubstr("expected an index from 0 to 1, got '00'")));
  EXPECT_THAT(errors_of(phases, {"phases.x=c"}), ElementsAre(HasSubstr("expected an index from 0 to 1, got 'x'")));
}

TEST(ConfigOverrides, NullTakesAKeyAway) {
  const TdmConfig c = parse(kHead, {"pattern=null", "circuits_file=" + kData + "/config/traffic.txt"});
  EXPECT_EQ(c.phases[0].pattern, "");
  EXPECT_EQ(c.phases[0].circuits.size(), 3U);
}

// As if the key were not there, whether the file has it or not.
TEST(ConfigOverrides, NullIsTheDefault) {
  const std::string file = kHead + "switch: { lanes: 2 }\nseed: 7\ntitle: mine\n";
  const TdmConfig plain = parse(kHead);
  for (const std::string& text : {kHead, file}) {
    const TdmConfig c = parse(text, {"seed=null", "title=~", "switch.lanes=null", "observe.profile=null", "run=null",
                                     "run={drain: null}", "seed=null"});
    EXPECT_EQ(c.seed, plain.seed);
    EXPECT_EQ(c.title, plain.title);
    EXPECT_EQ(c.tdm_switch.lanes, plain.tdm_switch.lanes);
    EXPECT_FALSE(c.observe.profile);
  }
  EXPECT_EQ(parse(kHead, {"seed=null", "seed=5"}).seed, 5U);
  EXPECT_THAT(errors_of(kHead, {"topology=null"}), ElementsAre(HasSubstr("required key 'topology' is missing")));
  EXPECT_THAT(errors_of(kHead, {"titel=null"}), ElementsAre(HasSubstr("unknown key 'titel' at the top level")));
  EXPECT_THAT(errors_of(kHead, {"observe.profil=null"}),
              ElementsAre(HasSubstr("unknown key 'profil' in section 'observe'; did you mean 'profile'?")));
  EXPECT_THAT(errors_of(kHead, {"observe.waves.form=null"}),
              ElementsAre(HasSubstr("unknown key 'form' in section 'observe.waves'")));
  EXPECT_THAT(errors_of(kHead + "seed: null\n"), ElementsAre(HasSubstr("seed: the value is missing")))
      << "in a file it takes away what a base has";
}

TEST(ConfigOverrides, PathsAreTakenFromTheWorkingDirectory) {
  EXPECT_THAT(errors_of(test::kBare, {"circuits_file=no-such-dir/traffic.txt"}),
              ElementsAre("--set circuits_file=no-such-dir/traffic.txt: error: circuits_file: "
                          "no-such-dir/traffic.txt: cannot be read: No such file or directory"));
}

TEST(ConfigOverrides, Errors) {
  const auto error = [](const std::string& assignment) {
    const auto all = errors_of(kHead, {assignment});
    EXPECT_THAT(all, SizeIs(1)) << assignment;
    if (all.empty()) return std::string();
    EXPECT_THAT(all[0], StartsWith("--set " + assignment.substr(0, 400)));
    EXPECT_THAT(all[0], HasSubstr(": error: "));
    return all[0];
  };
  EXPECT_THAT(error("switch.slots"), HasSubstr("there is no '='"));
  EXPECT_THAT(error("=3"), HasSubstr("a part of the key is empty"));
  EXPECT_THAT(error("switch..slots=3"), HasSubstr("a part of the key is empty"));
  EXPECT_THAT(error("switch.=3"), HasSubstr("a part of the key is empty"));
  EXPECT_THAT(error("seed="), HasSubstr("the value is missing"));
  EXPECT_THAT(error("seed=[1"), HasSubstr("cannot be read: YAML syntax"));
  EXPECT_THAT(error("pattern.a=1"), HasSubstr("'pattern' is the value 'tornado', it has no key 'a'"));
  EXPECT_THAT(error("topology.dims.7=1"), HasSubstr("'topology.dims' is a list of 2"));
  EXPECT_THAT(error("circuits.0.source=1"), HasSubstr("'circuits' is not in the configuration, so it has no element 0; "
                                                      "set all of it: circuits=..."));
  EXPECT_THAT(error("base=x.yaml"), HasSubstr("base cannot be set on the command line"));
  EXPECT_THAT(error("switch.slotz=4"), HasSubstr("unknown key 'slotz' in section 'switch'; did you mean 'slots'?"));
  EXPECT_THAT(error("switch.slots=1"), HasSubstr("switch.slots: expected a whole number from 2 to 4096, got '1'"));
  EXPECT_THAT(error("switch=3"), HasSubstr("switch: expected a section (keys and values), got '3'"));
  std::string deep = "a";
  for (int i = 0; i < 100000; ++i) deep += ".a";
  EXPECT_THAT(error(deep + "=1"), HasSubstr("too many parts"));
}

TEST(ConfigOverrides, AllErrorsAreReported) {
  EXPECT_THAT(errors_of(kHead + "switch: { lanes: 0 }\n", {"switch.slots", "seed=x"}), SizeIs(3));
}

TEST(ConfigYaml, Errors) {
  const auto only = [](const std::string& text) {
    const auto all = errors_of(text);
    EXPECT_THAT(all, SizeIs(1)) << text.substr(0, 100);
    return all.empty() ? std::string() : all[0];
  };
  EXPECT_EQ(only(""), "t.yaml:1:1: error: the file is empty; a configuration begins with 'fabric: ...'");
  EXPECT_THAT(only("# only a comment\n"), HasSubstr("the file is empty"));
  EXPECT_THAT(only("- a\n- b\n"), StartsWith("t.yaml:1:1: error: expected keys and values"));
  EXPECT_THAT(only("hello\n"), HasSubstr("at the top level, got 'hello'"));
  EXPECT_THAT(only(kHead + "---\n" + kHead), StartsWith("t.yaml:4:1: error: a second document"));
  EXPECT_EQ(only(kHead + "seed: 1\nseed: 2\n"), "t.yaml:5:1: error: duplicate key 'seed' (first on line 4)");
  EXPECT_THAT(only(kHead + "switch: { lanes: 1, lanes: 2 }\n"),
              StartsWith("t.yaml:4:21: error: duplicate key 'lanes'"));
  EXPECT_THAT(only(kHead + "switch: { lanes: 1\n"), AllOf(StartsWith("t.yaml:"), HasSubstr("YAML syntax: ")));
  EXPECT_THAT(only(kHead + "observe: { waves: { switches: [sw[0]] } }\n"),
              AllOf(StartsWith("t.yaml:4:"), HasSubstr("must be quoted")));
  EXPECT_THAT(only(kHead + "? [a, b]\n: c\n"), StartsWith("t.yaml:4:3: error: a key must be a plain word"));
  EXPECT_THAT(only(kHead + "~: c\n"), HasSubstr("a key must be a plain word"));
  EXPECT_THAT(only(kHead + "seed: !!int 3\n"), HasSubstr("YAML tags"));
  EXPECT_THAT(only(kHead + "seed: *nothing\n"), AllOf(StartsWith("t.yaml:4:7: error:"), HasSubstr("anchor")));
  EXPECT_THAT(only(kHead + "switch: &s { instances: *s }\n"), HasSubstr("contains itself"));
  EXPECT_EQ(only(kHead + "title: \xff\n"), "t.yaml:4:8: error: this is not text: byte 0xff is not part of UTF-8");
  EXPECT_EQ(only(kHead + "title: \xc3\xa4\xed\xa0\x80\n"),
            "t.yaml:4:9: error: this is not text: byte 0xed is not part of UTF-8");
  EXPECT_EQ(only(std::string("fabric: f\0c", 11)), "t.yaml:1:10: error: this is not text: control character 0x00");
  EXPECT_THAT(only(std::string(100000, '[')), HasSubstr("t.yaml:1:"));
}

// Brackets that are never closed, however many: the end of the text, or the first one that is too much.
TEST(ConfigYaml, OpenBracketsHaveAPlace) {
  const auto error = [](const std::string& text) {
    const auto all = errors_of(text);
    EXPECT_THAT(all, SizeIs(1)) << text.substr(0, 100);
    return all.empty() ? std::string() : all[0];
  };
  const auto brackets = [](int n, char c = '[') { return std::string(static_cast<std::size_t>(n), c); };
  const std::string open = "error: YAML syntax: a '[' is not closed before this place";
  const std::string deep = "error: values are nested more than 32 levels deep before this place";
  EXPECT_EQ(error("a: [[[["), "t.yaml:1:8: " + open);
  EXPECT_EQ(error("a: [[[[\n"), "t.yaml:2:1: " + open);
  EXPECT_EQ(error("a: [[\nb: [c,\n  \xc3\xa4"), "t.yaml:3:4: " + open);
  EXPECT_EQ(error(std::string(kByteOrderMark) + "a: [["), "t.yaml:1:6: " + open);
  EXPECT_EQ(error("a: {b"), "t.yaml:1:6: error: YAML syntax: a '{' is not closed before this place");
  EXPECT_EQ(error("a: { path: services[service=d].mean }"),
            "t.yaml:1:20: error: YAML syntax: a '{' is not closed before this place (inside [ ] and { } a text with a "
            "bracket in it must be quoted)");
  EXPECT_EQ(error("a: " + brackets(400)), "t.yaml:1:404: " + deep);
  EXPECT_EQ(error("? " + brackets(600) + "\n"), "t.yaml:2:1: " + deep);
  EXPECT_EQ(error("a:\n  " + brackets(9'000, '{')), "t.yaml:2:9003: " + deep);
  EXPECT_EQ(error("a:\n  \xc3\xa4: " + brackets(10'001)),
            "t.yaml:2:10006: error: more than 10000 brackets are open here");
  EXPECT_THAT(error("a: [\xc3\xa4, @b]"), StartsWith("t.yaml:1:8: error: YAML syntax"));
}

TEST(ConfigYaml, TabsAndEndsOfLinesAreNamed) {
  EXPECT_THAT(errors_of("topology:\n\tkind: mesh\n"),
              ElementsAre(EndsWith("(lines are indented with spaces, not with tabs)")));
  EXPECT_THAT(errors_of("a: {b: 1}\rc: {d: 2}\r"),
              ElementsAre(EndsWith("(lines must end with a line feed, not with a carriage return alone)")));
}

TEST(ConfigYaml, GrowthIsLimited) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string below = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) bomb += below + (k < 9 ? ", " : "]\n");
  }
  EXPECT_THAT(errors_of(bomb), ElementsAre(HasSubstr("more than 500000 values")));
  std::string texts = "a: &a " + std::string(200'000, 'x') + "\nb: [*a";
  for (int i = 0; i < 400; ++i) texts += ", *a";
  EXPECT_THAT(errors_of(texts + "]\n"), ElementsAre(HasSubstr("t.yaml:2:1337: error: the values of the document have "
                                                              "more than 67108864 bytes here")));
  EXPECT_THAT(errors_of("a: " + std::string(10'001, '{')),
              ElementsAre("t.yaml:1:10004: error: more than 10000 brackets are open here"));
  std::string deep = "a: ";
  deep += std::string(40, '[') + std::string(40, ']');
  EXPECT_THAT(errors_of(deep), ElementsAre(HasSubstr("nested more than 32 levels")));
}

TEST(ConfigYaml, EveryValueKnowsItsPlace) {
  const YamlNode root = parse_yaml("a:\n  b: [1,\n    {c: d}]\n  e:\nf: 'x'\n", "f");
  EXPECT_EQ(root.where.text(), "f:1:1");
  const YamlEntry& a = *root.find("a");
  EXPECT_EQ(a.value.where.text(), "f:1:1");  // a block value stands where its key stands
  const YamlEntry& b = *a.value.find("b");
  EXPECT_EQ(b.key_where.text(), "f:2:3");
  EXPECT_EQ(b.value.where.text(), "f:2:6");
  EXPECT_EQ(b.value.entries[1].value.find("c")->value.where.text(), "f:3:9");
  EXPECT_EQ(a.value.find("e")->value.where.text(), "f:4:3");
  EXPECT_EQ(root.find("f")->value.where.text(), "f:5:4");
  EXPECT_EQ(root.find("g"), nullptr);
}

}  // namespace
}  // namespace weft
