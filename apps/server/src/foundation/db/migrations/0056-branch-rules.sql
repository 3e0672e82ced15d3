-- Rules of branches: what a merge request needs before it may change a branch whose name matches the pattern.
create table branch_rules (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  pattern text collate "C" not null,
  approvals integer not null default 0 check (approvals >= 0),
  owners boolean not null default false,
  checks text[] not null default '{}',
  no_direct_push boolean not null default false,
  check_minutes integer not null default 60 check (check_minutes > 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, pattern)
);

-- The patterns of rules with `no_direct_push`. They are in the row that every write locks, so that no write needs another
-- query to find out that its branch is protected.
alter table projects add column protected_branches text[] not null default '{}';

-- People who edit a branch live at this moment may not do so any more, or may do so again.
create trigger projects_protect_branches after update on projects for each row
  when (old.protected_branches <> new.protected_branches)
  execute function tell_sessions_of_project();
