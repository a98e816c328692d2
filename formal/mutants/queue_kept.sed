# message_queue message_queue.sv: a message that has left at once is kept
s/push        = enters \&\& \(stored \|\| !done\)/push        = enters/
