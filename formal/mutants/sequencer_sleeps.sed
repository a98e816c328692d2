# command_sequencer command_sequencer.sv: idle with instructions left
s/completed_o\) state_q <= \(handed_over != '0\)/completed_o) state_q <= (count_q > CountW'(1))/
