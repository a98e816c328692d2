# dtable dtable.sv: the table of the last life counts after reset
s/if \(!rst_ni\) positive_q <= '0;/if (1'b0) positive_q <= '0;/
