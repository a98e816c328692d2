# dtable dtable.sv: what is left is not kept
s/decide && live && !covers && /1'b0 \&\& /
