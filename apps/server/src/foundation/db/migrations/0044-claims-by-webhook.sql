-- Of a queue that is mostly empty, statistics say that nothing waits. Then this index, the smallest, looks as good as any, and a
-- claim read all that waits along it, once for each part of the claim. What it was for is asked webhook by webhook.
drop index webhook_deliveries_due;
