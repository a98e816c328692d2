# dtable dtable.sv: an SL that follows itself loses what it had left
s/\(live && \(selected_sl_q == next_sl\)\)/1'b0/
