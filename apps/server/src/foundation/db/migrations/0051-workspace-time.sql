-- How long workspaces ran, for each account and day.
alter table usage_days add column workspace_ms bigint not null default 0;
alter table usage_totals add column workspace_ms bigint not null default 0;
