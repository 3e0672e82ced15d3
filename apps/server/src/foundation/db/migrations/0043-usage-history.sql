-- What an account used, by day (UTC). Builds are counted as they end; projects and bytes are looked at every hour, and
-- written down where they are others than before: until the next row they stay what they were. Null: not looked at that day.
create table usage_days (
  user_id text collate "C" not null references users on delete cascade,
  day date not null,
  deployments integer not null default 0,
  build_ms bigint not null default 0,
  projects integer,
  stored_bytes bigint,
  primary key (user_id, day)
);
create index usage_days_day on usage_days (day);

-- The same of all accounts together, which stays when one of them goes.
create table usage_totals (
  day date primary key,
  deployments integer not null,
  build_ms bigint not null,
  projects integer not null,
  stored_bytes bigint not null,
  accounts integer not null
);
