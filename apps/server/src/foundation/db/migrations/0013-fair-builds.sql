-- When a build of an account last began: accounts with builds that wait take turns by it.
create table build_turns (
  account_id text collate "C" primary key references users on delete cascade,
  started_at timestamptz not null
);
-- The first that waits of each project and environment is found by one look, however many wait behind it.
create index deployments_waiting on deployments (project_id, environment, number) where status = 'pending';
