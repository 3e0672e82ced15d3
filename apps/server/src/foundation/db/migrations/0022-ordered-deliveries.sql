-- The first of each project that waits in order, and what of such a webhook does not: a claim reads neither the rest of a
-- backlog nor sorts it. The expression is there because the events of an account, which have no project, are in order too.
create index webhook_deliveries_in_order on webhook_deliveries (webhook_id, coalesce(project_id, ''), place)
  where status = 'pending' and place is not null;
create index webhook_deliveries_any_order on webhook_deliveries (webhook_id, due_at)
  where status = 'pending' and place is null;
