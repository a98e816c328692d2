# shared_space shared_space.sv: no reset
s/if \(!rst_ni\) used_q <= '0;/if (1'b0) used_q <= '0;/
