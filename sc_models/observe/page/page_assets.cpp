#include "observe/page/page_assets.h"

#include "base/embedded.h"

WEFT_EMBEDDED(weft_page_skeleton);
WEFT_EMBEDDED(weft_page_style);
WEFT_EMBEDDED(weft_page_script);
WEFT_EMBEDDED(weft_page_charts);

namespace weft::page_assets {

std::string_view skeleton() { return embedded(weft_page_skeleton, weft_page_skeleton_end); }
std::string_view style() { return embedded(weft_page_style, weft_page_style_end); }
std::string_view script() { return embedded(weft_page_script, weft_page_script_end); }
std::string_view charts() { return embedded(weft_page_charts, weft_page_charts_end); }

}  // namespace weft::page_assets
