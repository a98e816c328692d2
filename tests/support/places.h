#pragma once
// Folders and programs of this build. Their paths are compiled in one generated file alone, so that the objects of all
// others are the same in every copy of the project and ccache finds them.

#include <string>

namespace weft::test {

std::string source_dir();    ///< of the project, without a slash at the end
std::string weft_program();  ///< the program of this build

}  // namespace weft::test
