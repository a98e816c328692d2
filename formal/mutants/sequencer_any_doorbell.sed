# command_sequencer command_sequencer.sv: a doorbell for more than the ring holds counts
s/ && \(doorbell_count_i <= free_o\)//
