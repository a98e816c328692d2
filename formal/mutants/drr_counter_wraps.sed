# drr drr.sv: the counter wraps instead of saturating
s/overflow \? '1 : CountW/CountW/
