-- What is due next, and when the next pause is over: a node that has nothing to send sleeps until then.
create index webhook_deliveries_due on webhook_deliveries (due_at) where status = 'pending';
create index webhook_health_paused on webhook_health (paused_until) where paused_until is not null;
