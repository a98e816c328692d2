#pragma once
// Pictures of an all-to-all schedule as SVG: the connection profile (slots that each offset needs by itself, as the
// paper draws it), and maps of the links that every slot uses, one panel per slot.

#include <cstdint>
#include <string>
#include <vector>

#include "studies/alltoall/alltoall_report.h"

namespace weft {

struct AllToAllPicture {
  std::string name;  ///< of the file
  std::string meaning;
  std::string svg;
};

/// The profile for grids of up to 32 columns and rows; link maps for up to 12, 64 slots in each file, 6 files at most.
/// Equal schedules give equal bytes.
std::vector<AllToAllPicture> alltoall_pictures(const AllToAllStudy& study);
/// A note for every picture that is not drawn, or not whole.
std::vector<std::string> pictures_left_out(const AllToAllStudy& study);

}  // namespace weft
