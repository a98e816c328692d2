// Properties of message_effect, proven by scripts/formal for any inputs: the protocol of docs/fic_setup.md, case by case. The
// record of a circuit says only of its outputs that they have accepted or ended; its input is none of them.

logic f_there, f_source, f_branch;  // the message comes from a port of the circuit
logic f_last_accepts, f_last_ends;  // no other branch has yet to
logic [Ports-1:0] f_others;         // branches that have not ended, without that of the message
assign f_there        = (32'(in_i) < Ports) && (32'(from_i) < Ports) && ((outs_i & (Ports'(1) << in_i)) == '0) &&
                        ((accepted_i & ~outs_i) == '0) && ((ended_i & ~outs_i) == '0);
assign f_source       = f_there && (from_i == in_i);
assign f_branch       = f_there && outs_i[from_i];
for (genvar f_p = 0; f_p < Ports; f_p = f_p + 1) begin : gen_formal_branch
  assign f_others[f_p] = (f_p != 32'(from_i)) && outs_i[f_p] && !ended_i[f_p];
end
assign f_last_accepts = (outs_i & ~accepted_i & ~(Ports'(1) << from_i)) == '0;
assign f_last_ends    = f_others == '0;

always_comb begin
  // Nobody's message has an effect, nor one that only others than the switch answer.
  a_stranger: assert (!f_there || f_source || f_branch || (effect_o == None));
  a_kinds:    assert ((kind_i != 3'd0) && (kind_i != 3'd1) && (kind_i != 3'd7) || (effect_o == None));
  a_source:   assert (!f_source || !(accepts_o || confirms_o || ends_o));
  a_accepts:  assert (!f_there || (accepts_o == (f_branch && (kind_i == Accept))));
  a_confirms: assert (!f_there || (confirms_o == (f_branch && (kind_i == Released))));
  a_ends:     assert (!f_there || (ends_o == (f_branch && (kind_i == Teardown) && !forward_i && !fault_i)));
  // From the source: to all branches that have not ended
  a_release:  assert (!(f_source && (kind_i == Release)) || (effect_o == Send));
  a_torn:     assert (!(f_source && (kind_i == Teardown)) || (effect_o == (forward_i ? Clear : None)));
  a_withdraw: assert (!(f_source && (kind_i == Withdraw)) || (effect_o == (withdrawing_i ? None : WithdrawAll)));
  a_onward:   assert (!(f_source && (effect_o != None)) || (ports_o == (outs_i & ~ended_i)));
  a_answer:   assert (!(f_source && ((kind_i == Accept) || (kind_i == Released))) || (effect_o == None));
  // From a branch: to the source when the last one has answered
  a_accepted: assert (!accepts_o || !f_branch || (effect_o == ((f_last_accepts && !withdrawing_i) ? Send : None)));
  a_released: assert (!confirms_o || !f_branch || (effect_o == (confirmed_i ? Clear : None)));
  a_ended:    assert (!ends_o || !f_branch || (effect_o == (f_last_ends ? End : withdrawing_i ? None : WithdrawAll)));
  a_back:     assert (!((accepts_o || confirms_o) && f_branch) || (ports_o == (Ports'(1) << in_i)));
  a_order:    assert (!(f_branch && ((kind_i == Withdraw) || (kind_i == Release))) || (effect_o == None));
  a_forward:  assert (!(f_branch && (kind_i == Teardown) && forward_i) || (effect_o == None));
  // A failure behind a branch: the others hear of it.
  a_fault:    assert (!(f_branch && (kind_i == Teardown) && !forward_i && fault_i) || (effect_o == SendAndClear));
  a_told:     assert (!(f_branch && (effect_o == SendAndClear)) || (ports_o == f_others));
  // Reachability: each must have a witness.
  c_last:  cover (f_branch && (effect_o == End) && (ended_i != '0));
  c_first: cover (f_branch && (effect_o == WithdrawAll));
  c_fault: cover (f_branch && (effect_o == SendAndClear) && (ports_o != '0));
end
