// The checker of all-to-all schedules on schedules that are wrong in one place, and schedule files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "algorithms/alltoall/groups.h"
#include "algorithms/alltoall/schedule_file.h"
#include "algorithms/alltoall/verify.h"
#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/output_folder.h"
#include "support/scratch.h"

namespace weft::alltoall {
namespace {

using test::ScratchFolder;
using ::testing::HasSubstr;

// 3 x 1 row of a 3 x 2 mesh: 0 1 2 below 3 4 5. Each connection alone in its slot.
Schedule apart(const Grid& grid) {
  Schedule s{grid, 0, std::vector<std::uint32_t>(std::size_t{grid.nodes()} * grid.nodes(), kNoSlot)};
  for (std::uint32_t a = 0; a < grid.nodes(); ++a) {
    for (std::uint32_t b = 0; b < grid.nodes(); ++b) {
      if (a != b) s.slot_of[a * grid.nodes() + b] = s.slots++;
    }
  }
  return s;
}

std::uint32_t& slot(Schedule& s, std::uint32_t from, std::uint32_t to) { return s.slot_of[from * s.grid.nodes() + to]; }

std::string fault_of(const Schedule& s) {
  const Verification v = verify(s);
  return v.ok() ? "ok" : to_string(*v.fault, s);
}

TEST(AllToAllVerify, OneConnectionPerSlotIsRight) {
  const Schedule s = apart({3, 2});
  const Verification v = verify(s);
  EXPECT_TRUE(v.ok());
  EXPECT_EQ(v.connections, 30U);
  EXPECT_EQ(v.slots_used, 30U);
  EXPECT_EQ(v.fewest, 1U);
  EXPECT_EQ(v.most, 1U);
}

TEST(AllToAllVerify, NamesTheConflict) {
  Schedule s = apart({3, 2});
  const std::uint32_t shared = slot(s, 0, 2);
  slot(s, 1, 5) = shared;  // 1 -> 2 -> 5; link 1 -> 2 is on the way from 0 to 2
  EXPECT_EQ(fault_of(s), "slot " + std::to_string(shared) + ": link 1 -> 2 carries both 0 -> 2 and 1 -> 5");
  s = apart({3, 2});
  slot(s, 0, 3) = shared;
  EXPECT_EQ(fault_of(s), "slot " + std::to_string(shared) + ": node 0 sends both 0 -> 2 and 0 -> 3");
  s = apart({3, 2});
  slot(s, 5, 2) = shared;
  EXPECT_EQ(fault_of(s), "slot " + std::to_string(shared) + ": node 2 receives both 0 -> 2 and 5 -> 2");
  s = apart({3, 2});
  slot(s, 4, 3) = kNoSlot;
  EXPECT_EQ(fault_of(s), "connection 4 -> 3 has no slot");
  s = apart({3, 2});
  slot(s, 4, 3) = 30;
  EXPECT_EQ(fault_of(s), "connection 4 -> 3: slot 30 is not below the number of slots, 30");
  s = apart({3, 2});
  slot(s, 4, 4) = 7;
  EXPECT_EQ(fault_of(s), "slot 7: node 4 sends to itself");
  s.slot_of.pop_back();
  EXPECT_THROW(verify(s), std::invalid_argument);
}

// The same pair of connections meets or not with the order of routing and with links around the edge.
TEST(AllToAllVerify, FollowsTheGridsRoutes) {
  const auto fault = [](const Grid& grid, std::pair<int, int> a, std::pair<int, int> b) {
    Schedule s = apart(grid);
    slot(s, std::uint32_t(b.first), std::uint32_t(b.second)) = slot(s, std::uint32_t(a.first), std::uint32_t(a.second));
    return fault_of(s);
  };
  const Grid xy{3, 3}, yx{3, 3, false, RouteOrder::kYFirst};
  EXPECT_THAT(fault(xy, {0, 5}, {1, 2}), HasSubstr("link 1 -> 2"));
  EXPECT_EQ(fault(yx, {0, 5}, {1, 2}), "ok");
  EXPECT_THAT(fault(yx, {0, 5}, {3, 4}), HasSubstr("link 3 -> 4"));
  EXPECT_EQ(fault(xy, {0, 5}, {3, 4}), "ok");
  const Grid ring{4, 2, true};
  EXPECT_THAT(fault({4, 2}, {0, 3}, {1, 2}), HasSubstr("link 1 -> 2"));
  EXPECT_EQ(fault(ring, {0, 3}, {1, 2}), "ok");
  EXPECT_THAT(fault(ring, {3, 1}, {0, 5}), HasSubstr("link 0 -> 1"));  // half way round goes upwards
  EXPECT_EQ(fault(ring, {3, 1}, {2, 5}), "ok");                        // so does this, over 2 -> 3
}

// Any exchange of the slots of two connections that makes a conflict is found, and only those.
TEST(AllToAllVerify, FindsWhatALongerWayFinds) {
  const Grid grid{4, 3};
  const Schedule good = make_groups(grid).schedule;
  const Resources resources(grid);
  std::size_t wrong = 0;
  for (std::size_t c = 0; c < good.slot_of.size(); ++c) {
    if (good.slot_of[c] == kNoSlot) continue;
    for (std::uint32_t to = 0; to < good.slots; to += 3) {
      Schedule s = good;
      s.slot_of[c] = to;
      std::vector<std::vector<std::uint32_t>> uses(good.slots, std::vector<std::uint32_t>(resources.count()));
      bool fits = true;
      for (std::size_t k = 0; k < s.slot_of.size(); ++k) {
        if (s.slot_of[k] == kNoSlot) continue;
        resources.visit(std::uint32_t(k / grid.nodes()), std::uint32_t(k % grid.nodes()),
                        [&](std::uint32_t r) { fits = ++uses[s.slot_of[k]][r] == 1 && fits; });
      }
      wrong += fits ? 0 : 1;
      ASSERT_EQ(verify(s).ok(), fits) << c << " to slot " << to;
    }
  }
  EXPECT_GT(wrong, 100U);
}

std::string error_of(const std::string& content, const Grid& grid) {
  const ScratchFolder folder;
  write_file(folder.path("s.csv"), content);
  try {
    (void)read_schedule(folder.path("s.csv"), grid);
  } catch (const InputError& e) {
    std::string all;
    for (const Diagnostic& d : e.list()) {
      all += std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + " " + d.message + "\n";
    }
    return all;
  }
  return "none";
}

TEST(AllToAllFile, WhatIsWrittenIsRead) {
  const ScratchFolder folder;
  for (const Grid& grid : {Grid{4, 4}, Grid{5, 3, true}, Grid{3, 6, false, RouteOrder::kYFirst}}) {
    const Schedule s = make_groups(grid).schedule;
    write_schedule(folder.path("s.csv"), s, nullptr);
    const ScheduleFile file = read_schedule(folder.path("s.csv"), grid);
    EXPECT_EQ(file.schedule.slot_of, s.slot_of);
    EXPECT_EQ(file.schedule.slots, s.slots);
    EXPECT_FALSE(file.has_channels);
    EXPECT_TRUE(read_file(folder.path("s.csv")).starts_with("slot,source,destination\n0,0,"));
  }
}

TEST(AllToAllFile, ChannelsAreRead) {
  const ScratchFolder folder;
  const GroupsSchedule made = make_groups({4, 4});
  const ChannelPlan plan = assign_channels(made.schedule, &made, 3, 2, 0, Assignment::regular, 1);
  EXPECT_EQ(plan.time_slots, 3U);  // 16 slots over 6 channels
  write_schedule(folder.path("s.csv"), made.schedule, &plan);
  const ScheduleFile file = read_schedule(folder.path("s.csv"), {4, 4});
  EXPECT_TRUE(file.has_channels);
  EXPECT_EQ(file.wavelengths, 3U);
  EXPECT_EQ(file.planes, 2U);
  EXPECT_EQ(file.time_slots(), 3U);
  EXPECT_TRUE(verify(file.schedule).ok());
  for (std::size_t c = 0; c < made.schedule.slot_of.size(); ++c) {
    const std::uint32_t slot = made.schedule.slot_of[c];
    if (slot == kNoSlot) continue;
    EXPECT_EQ(file.schedule.slot_of[c], (plan.time[slot] * 3 + plan.wavelength(slot)) * 2 + plan.plane(slot));
  }
  EXPECT_EQ(file.slot_name(6 + 3), "slot 1 on wavelength 1 of plane 1");
}

TEST(AllToAllFile, AcceptsWindowsLinesAndAnyOrder) {
  const ScratchFolder folder;
  write_file(folder.path("s.csv"), "\xEF\xBB\xBFslot,source,destination\r\n2,3,0\r\n0,1,2\r\n\r\n");
  const ScheduleFile file = read_schedule(folder.path("s.csv"), {2, 2});
  EXPECT_EQ(file.schedule.slots, 3U);
  EXPECT_EQ(file.schedule.slot_of[3 * 4 + 0], 2U);
  EXPECT_EQ(file.schedule.slot_of[1 * 4 + 2], 0U);
}

TEST(AllToAllFile, SaysWhatIsWrongAndWhere) {
  const Grid grid{2, 2};
  const std::string head = "slot,source,destination\n";
  EXPECT_EQ(error_of("", grid), "0:0 is empty; expected the header 'slot,source,destination'\n");
  EXPECT_THAT(error_of("slot;source\n", grid), HasSubstr("1:1 expected the header 'slot,source,destination' or"));
  EXPECT_EQ(error_of(head + "0,0,1\n0,1\n", grid), "3:1 expected 3 fields (slot,source,destination), got 2\n");
  EXPECT_EQ(error_of(head + "0,0,4\n", grid), "2:5 destination: expected a whole number from 0 to 3, got '4'\n");
  EXPECT_EQ(error_of(head + "-1,x,1\n", grid),
            "2:1 slot: expected a whole number from 0 to 99999999, got '-1'\n"
            "2:4 source: expected a whole number from 0 to 3, got 'x'\n");
  EXPECT_EQ(error_of(head + "0,1, 2\n", grid), "2:5 destination: expected a whole number from 0 to 3, got ' 2'\n");
  EXPECT_EQ(error_of(head + "0,2,2\n", grid), "2:5 node 2 sends to itself\n");
  EXPECT_EQ(error_of(head + "5,0,1\n7,0,1\n", grid), "3:1 connection 0 -> 1 is already in slot 5\n");
  EXPECT_THAT(error_of("slot,source,destination,wavelength,plane\n0,0,1,0\n", grid), HasSubstr("expected 5 fields"));
  EXPECT_THAT(error_of("slot,source,destination,wavelength,plane\n0,0,1,9999,0\n", grid), HasSubstr("2:7 wavelength"));
  EXPECT_THAT(error_of("slot,source,destination,wavelength,plane\n99999999,0,1,9,0\n", grid),
              HasSubstr("are accepted"));
  EXPECT_THAT(error_of(head + std::string(1000, '1') + "\n", grid), HasSubstr("2:1 this line is too long"));
  std::string many = head;
  for (int k = 0; k < 100; ++k) many += "x,0,1\n";
  const std::string all = error_of(many, grid);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 20);
  EXPECT_THROW((void)read_schedule("no_such_file.csv", grid), InputError);
  EXPECT_THROW((void)read_schedule(".", grid), InputError);
}

}  // namespace
}  // namespace weft::alltoall
