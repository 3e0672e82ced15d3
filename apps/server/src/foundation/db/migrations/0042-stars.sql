-- Projects that somebody wants at hand. Whether they may still be read is asked when they are shown.
create table stars (
  user_id text collate "C" not null references users on delete cascade,
  project_id text collate "C" not null references projects on delete cascade,
  starred_at timestamptz not null default clock_timestamp(),
  primary key (user_id, project_id)
);
create index stars_project on stars (project_id);
