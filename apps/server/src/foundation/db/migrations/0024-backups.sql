-- What became of the scheduled backups. Few rows: the oldest go with each new one.
create table backups (
  id bigint generated always as identity primary key,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Where it was written, as the node that wrote it names it.
  path text not null,
  size bigint,
  -- Null while it runs, and where it went well.
  problem text
);
