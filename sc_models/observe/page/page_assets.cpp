#include "observe/page/page_assets.h"

#include <string>

// Made by cmake/WeftEmbed.cmake.
#define WEFT_PAGE_FILE(name) extern "C" const char name[], name##_end[]
WEFT_PAGE_FILE(weft_page_skeleton);
WEFT_PAGE_FILE(weft_page_style);
WEFT_PAGE_FILE(weft_page_charts);
WEFT_PAGE_FILE(weft_page_base);
WEFT_PAGE_FILE(weft_page_table);
WEFT_PAGE_FILE(weft_page_chart);
WEFT_PAGE_FILE(weft_page_views);
WEFT_PAGE_FILE(weft_page_network);
WEFT_PAGE_FILE(weft_page_latency);
WEFT_PAGE_FILE(weft_page_circuits);
WEFT_PAGE_FILE(weft_page_main);
#undef WEFT_PAGE_FILE

namespace weft::page_assets {
namespace {

std::string_view between(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

}  // namespace

std::string_view skeleton() { return between(weft_page_skeleton, weft_page_skeleton_end); }
std::string_view style() { return between(weft_page_style, weft_page_style_end); }
std::string_view charts() { return between(weft_page_charts, weft_page_charts_end); }

std::string_view script() {
  static const std::string all = [] {
    std::string out;
    for (const std::string_view part :
         {between(weft_page_base, weft_page_base_end), between(weft_page_table, weft_page_table_end),
          between(weft_page_chart, weft_page_chart_end), between(weft_page_views, weft_page_views_end),
          between(weft_page_network, weft_page_network_end), between(weft_page_latency, weft_page_latency_end),
          between(weft_page_circuits, weft_page_circuits_end), between(weft_page_main, weft_page_main_end)}) {
      out += part;
    }
    return out;
  }();
  return all;
}

}  // namespace weft::page_assets
