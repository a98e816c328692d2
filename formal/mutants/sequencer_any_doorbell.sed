# command_sequencer command_sequencer.sv: a doorbell for more than the ring holds counts
# alone a_free
# alone a_doorbell
s/ && \(doorbell_count_i <= free_o\)//
