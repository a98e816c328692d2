#pragma once
// Files of the page that are built into the program (cmake/WeftEmbed.cmake).

#include <string_view>

namespace weft::page_assets {

std::string_view skeleton();  ///< report.html
std::string_view style();
std::string_view script();
std::string_view charts();  ///< Apache ECharts

}  // namespace weft::page_assets
