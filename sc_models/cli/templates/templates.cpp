#include "cli/templates/templates.h"

#include "base/embedded.h"

// A new template is a YAML file, its name in sc_models/CMakeLists.txt, and a line here and below.
WEFT_EMBEDDED(weft_template_mesh);
WEFT_EMBEDDED(weft_template_torus);
WEFT_EMBEDDED(weft_template_tree);
WEFT_EMBEDDED(weft_template_dragonfly);
WEFT_EMBEDDED(weft_template_fic);
WEFT_EMBEDDED(weft_template_optweb);
WEFT_EMBEDDED(weft_template_sweep);
WEFT_EMBEDDED(weft_template_program);

namespace weft::cli {

const std::vector<ConfigTemplate>& config_templates() {
  static const std::vector<ConfigTemplate> all{
      {"mesh", "packet network: mesh, two service levels", embedded(weft_template_mesh, weft_template_mesh_end), "run"},
      {"torus", "packet network: torus with datelines", embedded(weft_template_torus, weft_template_torus_end), "run"},
      {"tree", "packet network: fat tree with an arbitration table",
       embedded(weft_template_tree, weft_template_tree_end), "run"},
      {"dragonfly", "packet network: dragonfly", embedded(weft_template_dragonfly, weft_template_dragonfly_end), "run"},
      {"fic", "FiC: mesh of circuit switches", embedded(weft_template_fic, weft_template_fic_end), "run"},
      {"optweb", "OPTWEB: fully connected FPGAs with collectives",
       embedded(weft_template_optweb, weft_template_optweb_end), "run"},
      {"sweep", "sweep of a mesh over its load", embedded(weft_template_sweep, weft_template_sweep_end), "sweep",
       "mesh"},
      {"program", "program of all nodes on a torus", embedded(weft_template_program, weft_template_program_end),
       "run"}};
  return all;
}

}  // namespace weft::cli
