#pragma once
// The slot tables of a FiC network on the page of its report.

#include "observe/page/page_data.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

/// A diagram per phase whose slots are fixed before the run: of the first switches, as many as a page holds.
void add_frame_views(const TdmPlatform& platform, ReportData& report);

}  // namespace weft
