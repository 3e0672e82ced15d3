-- Checks: commands of bottega.json that run on all files of a commit, and what other systems report. One row for a tree, a
-- definition and an environment, so that the same files are never checked twice.
create table check_runs (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  -- The order of the queue.
  number bigint generated always as identity,
  name text not null,
  -- The commit for which it was first asked.
  head_sha bytea not null,
  tree_sha bytea not null,
  -- Digests of how the check is defined, and of what its command finds around it. Null: another system reports it.
  definition bytea,
  environment bytea,
  command text,
  -- The runs of the same tree that must succeed before.
  needs text[] collate "C" not null default '{}',
  -- Seconds. Null: the limit of the installation.
  time_limit integer,
  cache text[] not null default '{}',
  reports text[] not null default '{}',
  -- Whose caches it uses: `main`, or a name of its own.
  scope text collate "C" not null default '',
  trusted boolean not null default false,
  variables_encrypted bytea,
  status text not null default 'queued' check (status in ('queued', 'in_progress', 'completed')),
  conclusion text check (conclusion in
    ('success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required')),
  title text not null default '',
  summary text not null default '',
  details_url text,
  external_id text,
  annotations_count integer not null default 0,
  created_by text collate "C" references users on delete set null,
  request_id text,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  cancel_requested_at timestamptz,
  -- Who runs it, and until when that is certain without a heartbeat. The attempt fences off a worker that was taken for dead.
  worker_id text,
  lease_until timestamptz,
  attempt integer not null default 0,
  -- Starts since somebody asked for it. A check that kills its worker must not do so for ever.
  tries integer not null default 0,
  log_seq integer not null default 0,
  check ((status = 'completed') = (conclusion is not null)),
  check ((definition is null) = (environment is null)),
  check ((definition is null) = (command is null))
);
create unique index check_runs_own on check_runs (project_id, tree_sha, definition, environment) where definition is not null;
create unique index check_runs_outside on check_runs (project_id, tree_sha, name) where definition is null;
create index check_runs_project on check_runs (project_id, number desc);
create index check_runs_head on check_runs (project_id, head_sha);
create index check_runs_waiting on check_runs (project_id, number) where status = 'queued' and definition is not null;
create index check_runs_running on check_runs (project_id) where status = 'in_progress' and definition is not null;
create index check_runs_created_by on check_runs (created_by) where created_by is not null;

-- Without a foreign key, as for lines of deployments.
create table check_logs (
  check_id text collate "C" not null,
  seq integer not null,
  at timestamptz not null,
  level text not null,
  stream text not null,
  message text not null,
  is_runtime boolean not null default false,
  primary key (check_id, seq)
) partition by range (check_id);
do $$ begin
  execute 'create table check_logs_first partition of check_logs for values from (minvalue) to (maxvalue)';
end $$;

create function drop_check_logs() returns trigger language plpgsql as $$
begin
  delete from check_logs where check_id = old.id;
  return null;
end $$;
create trigger check_runs_drop_logs after delete on check_runs
  for each row execute function drop_check_logs();

create table check_annotations (
  check_id text collate "C" not null references check_runs on delete cascade,
  seq integer not null,
  path text collate "C" not null,
  start_line integer not null,
  end_line integer not null,
  level text not null check (level in ('notice', 'warning', 'failure')),
  title text not null,
  message text not null,
  primary key (check_id, seq)
);

-- The directories that a check keeps for its next run. They are layers, as those of workspaces are.
alter table workspace_layers
  drop constraint workspace_layers_kind_check,
  add constraint workspace_layers_kind_check check (kind in ('setup', 'workspace', 'cache'));
create table check_caches (
  project_id text collate "C" not null references projects on delete cascade,
  scope text collate "C" not null,
  -- The digest of the check's name and the directories.
  key bytea not null,
  layer_id text collate "C" not null references workspace_layers on delete cascade,
  -- The files that were checked, if nothing but `main` was in the directories before.
  tree_sha bytea,
  used_at timestamptz not null default clock_timestamp(),
  primary key (project_id, scope, key)
);
create index check_caches_layer on check_caches (layer_id);
create index check_caches_used on check_caches (used_at);
