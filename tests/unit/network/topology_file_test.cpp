#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "support/places.h"

namespace weft {
namespace {

const std::string kData = test::source_dir() + "/tests/data/topology/";

TopologyConfig file_config(const std::string& file) {
  TopologyConfig config = topology_config("file", {{"file", file}});
  return config;
}

/// Messages of the errors in a file, as "line:column message".
std::vector<std::string> errors_in(const std::string& file) {
  std::vector<std::string> texts;
  try {
    build_topology(file_config(file));
  } catch (const InputError& error) {
    for (const Diagnostic& d : error.list()) {
      EXPECT_EQ(d.where.file, file);
      texts.push_back(std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + " " + d.message);
    }
  }
  return texts;
}

std::vector<std::string> errors_of_text(const std::string& text) {
  const std::string file = testing::TempDir() + "weft_topology_file_test.topo";
  std::ofstream(file) << text;
  std::vector<std::string> texts = errors_in(file);
  std::filesystem::remove(file);
  return texts;
}

TEST(TopologyFile, ReadsANetwork) {
  const Graph graph = build_topology(file_config(kData + "pair_of_rings.topo"));
  EXPECT_EQ(graph.name(), "topology file pair_of_rings.topo");
  EXPECT_EQ(graph.switches(), 6u);
  EXPECT_EQ(graph.nodes(), 7u);
  EXPECT_EQ(graph.ports(4), 4);
  EXPECT_EQ(graph.ports(5), 6);
  EXPECT_EQ(graph.attachment(6), (PortRef{5, 5}));
  EXPECT_EQ(graph.attachment(5), (PortRef{5, 0}));
  EXPECT_EQ(graph.peer(2, 1), (PortRef{0, 2}));
  EXPECT_EQ(graph.peer(0, 2), (PortRef{2, 1}));
  EXPECT_EQ(graph.peer(1, 3), (PortRef{4, 3}));
  EXPECT_TRUE(graph.is_free({2, 3}));
  EXPECT_TRUE(graph.grid().dims.empty());
}

TEST(TopologyFile, ReportsAllErrorsWithTheirPlaces) {
  EXPECT_THAT(errors_in(kData + "broken.topo"),
              testing::ElementsAre("2:12 unknown word 'prots'; did you mean 'ports'?",                //
                                   "3:1 'switches' is already in line 2",                             //
                                   "4:7 switch 4 is out of range 0..3",                               //
                                   "5:9 'none' is not a number: number of ports expected",            //
                                   "7:7 the ports of switch 2 are set already in line 6",             //
                                   "8:1 unknown word 'nodes'; did you mean 'node'?",                  //
                                   "10:6 node 0 is already in line 9",                                //
                                   "11:6 nodes 1 to 2 are missing: nodes are numbered without gaps",  //
                                   "12:10 port 9 of switch 2 is out of range 0..3",                   //
                                   "13:8 port 0:0 is already used in line 9",                         //
                                   "14:1 too few words: the form is 'node N S:P'",                    //
                                   "16:1 link 1:1 0:1 is already in line 15",                         //
                                   "17:6 port 0:1 is already used in line 15",                        //
                                   "18:10 the link joins switch 3 to itself",                         //
                                   "19:10 '3' is not a port: the form is SWITCH:PORT",                //
                                   "20:14 '2:1' is too much: the form is 'link S:P S:P'"));
}

TEST(TopologyFile, NeedsTheSwitchesLine) {
  EXPECT_THAT(errors_of_text("node 0 0:0\n"), testing::ElementsAre("0:0 no 'switches N ports P' line"));
  EXPECT_THAT(errors_of_text(""), testing::ElementsAre("0:0 no 'switches N ports P' line"));
}

TEST(TopologyFile, RefusesNumbersThatAreNotNumbers) {
  EXPECT_THAT(errors_of_text("switches -1 ports 2\n"),
              testing::ElementsAre("1:10 '-1' is not a number: number of switches expected"));
  EXPECT_THAT(errors_of_text("switches 99999999999999999999 ports 2\n"),
              testing::ElementsAre("1:10 number of switches 99999999999999999999 is out of range 1..1048576"));
  EXPECT_THAT(errors_of_text("switches 1 ports 2\nnode 0 0:x\n"),
              testing::ElementsAre("2:10 'x' is not a number: port of switch 0 expected"));
  EXPECT_THAT(errors_of_text("switches 1 ports 0\n"),
              testing::ElementsAre("1:18 number of ports 0 is out of range 1..8192"));
}

TEST(TopologyFile, RefusesMorePortsThanAreBuilt) {
  EXPECT_THAT(errors_of_text("switches 1048576 ports 8192\nnode 0 0:0\n"),
              testing::ElementsAre("1:24 1048576 switches have 8589934592 ports, at most 20000000 are accepted"));
}

TEST(TopologyFile, TheGraphIsCheckedToo) {
  EXPECT_THAT(errors_of_text("switches 2 ports 2\nlink 0:0 1:0\n"),
              testing::ElementsAre("0:0 the network has no end nodes"));
  EXPECT_THAT(errors_of_text("switches 3 ports 2\nnode 0 0:0\nlink 0:1 1:0 # sw 2 is forgotten\n"),
              testing::ElementsAre("0:0 sw[2] has no link to another switch"));
}

TEST(TopologyFile, WindowsLineEndsAndNoFinalNewlineAreFine) {
  EXPECT_THAT(errors_of_text("switches 2 ports 2\r\nnode 0 0:0\r\nnode 1 1:0\r\n\r\nlink 0:1 1:1"), testing::IsEmpty());
}

TEST(TopologyFile, MissingFileIsNamed) {
  try {
    build_topology(file_config("/nowhere/net.topo"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/nowhere/net.topo"));
  }
}

}  // namespace
}  // namespace weft
