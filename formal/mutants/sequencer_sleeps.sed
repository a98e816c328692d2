# command_sequencer command_sequencer.sv: idle with instructions left
# alone a_done
# alone a_issues
s/completed_o\) state_q <= \(handed_over != '0\)/completed_o) state_q <= (count_q > CountW'(1))/
