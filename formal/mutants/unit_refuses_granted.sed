# setup_unit setup_unit.sv: a request is refused although its slots are reserved
# alone a_holds
s/down != .0\)\) : too_few_or_late/down != '0)) : (too_few_or_late || granted)/
