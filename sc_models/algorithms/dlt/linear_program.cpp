#include "algorithms/dlt/linear_program.h"

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"

namespace weft::dlt {
namespace {

int bound_type(double least, double most) {
  const bool low = least > -LinearProgram::kNoLimit;
  const bool high = most < LinearProgram::kNoLimit;
  if (low && high) return least < most ? GLP_DB : GLP_FX;
  if (low) return GLP_LO;
  return high ? GLP_UP : GLP_FR;
}

}  // namespace

LinearProgram::LinearProgram() : problem_(glp_create_prob(), glp_delete_prob) {
  glp_set_obj_dir(problem_.get(), GLP_MAX);
}

int LinearProgram::variable(double most, double objective) {
  const int column = glp_add_cols(problem_.get(), 1);
  glp_set_col_bnds(problem_.get(), column, bound_type(0, most), 0, most);
  glp_set_obj_coef(problem_.get(), column, objective);
  return column;
}

int LinearProgram::row(double least, double most, const std::vector<Term>& terms) {
  const int row = glp_add_rows(problem_.get(), 1);
  glp_set_row_bnds(problem_.get(), row, bound_type(least, most), least, most);
  std::vector<int> columns{0};  // GLPK counts from 1
  std::vector<double> factors{0};
  for (const Term& t : terms) {
    columns.push_back(t.column);
    factors.push_back(t.factor);
  }
  glp_set_mat_row(problem_.get(), row, static_cast<int>(terms.size()), columns.data(), factors.data());
  return row;
}

void LinearProgram::objective(int column, double factor) { glp_set_obj_coef(problem_.get(), column, factor); }

void LinearProgram::bounds(int row, double least, double most) {
  glp_set_row_bnds(problem_.get(), row, bound_type(least, most), least, most);
}

double LinearProgram::maximize() {
  glp_term_out(GLP_OFF);
  if (!solved_) glp_scale_prob(problem_.get(), GLP_SF_AUTO);
  // The primal method is several times faster on these programs, but rounding defeats it more often, in long chains of
  // small shares. And where factors differ by many orders of magnitude both can turn round in a circle.
  const int most = 20 * (glp_get_num_rows(problem_.get()) + glp_get_num_cols(problem_.get())) + 1000;
  constexpr double kFine = 1e-11;  // shares far down a queue are small, but not nothing
  constexpr double kCoarse = 1e-7;
  int failed = 0, status = 0;
  for (const auto& [method, tolerance] :
       {std::pair{GLP_PRIMAL, kFine}, {GLP_DUALP, kFine}, {GLP_PRIMAL, kCoarse}, {GLP_DUALP, kCoarse}}) {
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.presolve = GLP_OFF;
    parameters.meth = method;
    parameters.tol_dj = tolerance;
    parameters.it_lim = most;
    failed = glp_simplex(problem_.get(), &parameters);
    status = glp_get_status(problem_.get());
    if (failed == 0 && status == GLP_OPT) break;
    glp_adv_basis(problem_.get(), 0);
  }
  glp_term_out(GLP_ON);
  if (failed != 0 || status != GLP_OPT) {
    throw RunError("the linear program found no optimum (solver status " + std::to_string(failed) + ", " +
                   std::to_string(status) + ")");
  }
  solved_ = true;
  return glp_get_obj_val(problem_.get());
}

double LinearProgram::value(int column) const { return std::max(0.0, glp_get_col_prim(problem_.get(), column)); }

double LinearProgram::price(int column) const {
  if (glp_get_col_stat(problem_.get(), column) != GLP_NU && glp_get_col_stat(problem_.get(), column) != GLP_NS)
    return 0;
  return std::max(0.0, glp_get_col_dual(problem_.get(), column));
}

}  // namespace weft::dlt
