#include "cli/templates/templates.h"

// Made by cmake/WeftEmbed.cmake. A new template is a YAML file, its name in sc_models/CMakeLists.txt, and a line here
// and below.
#define WEFT_TEMPLATE(name) extern "C" const char weft_template_##name[], weft_template_##name##_end[]
WEFT_TEMPLATE(mesh);
WEFT_TEMPLATE(torus);
WEFT_TEMPLATE(tree);
WEFT_TEMPLATE(dragonfly);
WEFT_TEMPLATE(fic);
WEFT_TEMPLATE(optweb);
WEFT_TEMPLATE(sweep);
WEFT_TEMPLATE(program);
#undef WEFT_TEMPLATE

namespace weft::cli {
namespace {

std::string_view text(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }

}  // namespace

const std::vector<ConfigTemplate>& config_templates() {
  static const std::vector<ConfigTemplate> all{
      {"mesh", "packet network: mesh, two service levels", text(weft_template_mesh, weft_template_mesh_end), "run"},
      {"torus", "packet network: torus with datelines", text(weft_template_torus, weft_template_torus_end), "run"},
      {"tree", "packet network: fat tree with an arbitration table", text(weft_template_tree, weft_template_tree_end),
       "run"},
      {"dragonfly", "packet network: dragonfly", text(weft_template_dragonfly, weft_template_dragonfly_end), "run"},
      {"fic", "FiC: mesh of circuit switches", text(weft_template_fic, weft_template_fic_end), "run"},
      {"optweb", "OPTWEB: fully connected FPGAs with collectives", text(weft_template_optweb, weft_template_optweb_end),
       "run"},
      {"sweep", "sweep of a mesh over its load", text(weft_template_sweep, weft_template_sweep_end), "sweep", "mesh"},
      {"program", "program of all nodes on a torus", text(weft_template_program, weft_template_program_end), "run"}};
  return all;
}

}  // namespace weft::cli
