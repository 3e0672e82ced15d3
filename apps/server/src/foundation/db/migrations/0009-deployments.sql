-- Deployments: their queue, their logs, what they serve, and where their server apps run.
alter table projects
  add column auto_deploy boolean not null default false,
  -- What the live address shows. No foreign key: the row is updated within the same transaction as the deployment, and
  -- the two tables would lock each other.
  add column live_deployment_id text collate "C",
  -- The first label of the live address. Given once and kept when the project is renamed: addresses do not move.
  add column app_name text collate "C" unique;

-- What a build left to be served: a list of files, immutable, the same list stored once for a project.
create table artifacts (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  -- SHA-256 over every path, mode and content, the start command and the fallback.
  digest bytea not null,
  -- Null: files alone; else a server app.
  start_command text,
  spa boolean not null,
  file_count integer not null,
  size bigint not null,
  created_at timestamptz not null default now(),
  unique (project_id, digest)
);

create table artifact_files (
  artifact_id text collate "C" not null references artifacts on delete cascade,
  path text collate "C" not null,
  kind text not null check (kind in ('file', 'executable', 'link')),
  size bigint not null,
  mime_type text not null,
  checksum bytea not null,
  -- The digests of the pieces, one after the other; the same for the two compressed forms, where they are worth having.
  chunks bytea not null,
  gzip_chunks bytea,
  gzip_size bigint,
  brotli_chunks bytea,
  brotli_size bigint,
  primary key (artifact_id, path)
);

-- Pieces of content by their SHA-256. Within a project, so that they go with it, and so that what one project stores
-- never tells another whether it was there.
create table artifact_chunks (
  project_id text collate "C" not null references projects on delete cascade,
  digest bytea not null,
  content bytea not null,
  primary key (project_id, digest)
);
alter table artifact_chunks alter column content set storage external;

create table deployments (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  build_id text collate "C" not null unique,
  -- The order of the queue.
  number bigint generated always as identity,
  status text not null default 'pending' check (status in ('pending', 'building', 'success', 'failed', 'canceled')),
  environment text not null check (environment in ('production', 'preview', 'development')),
  trigger text not null check (trigger in ('api', 'push', 'redeploy')),
  branch text not null,
  tree_sha bytea not null,
  -- Null without version control.
  commit_sha bytea,
  commit_message text,
  commit_author_name text,
  commit_author_email text,
  build_command text,
  output_directory text,
  variable_names text[] not null default '{}',
  variables_encrypted bytea,
  deployed_by text collate "C" references users on delete set null,
  request_id text,
  idempotency_key text,
  artifact_id text collate "C" references artifacts on delete set null,
  error jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  cancel_requested_at timestamptz,
  -- Whose build it is, and until when that is believed without another word. The attempt fences off a worker that was
  -- taken for dead and was not.
  worker_id text,
  lease_until timestamptz,
  attempt integer not null default 0,
  -- The number of the last log line. Whoever writes takes the next ones here, so that several may write.
  log_seq integer not null default 0,
  -- A server app runs until then: the live one for ever, any other as long as it is visited.
  wanted_until timestamptz
);
create index deployments_project on deployments (project_id, number desc);
create index deployments_queue on deployments (number) where status = 'pending';
-- Also the rule itself: one build at a time for a project and environment.
create unique index deployments_building on deployments (project_id, environment) where status = 'building';
create index deployments_wanted on deployments (wanted_until) where wanted_until is not null;

-- No foreign key: it would be checked for every line; a trigger below removes them with their deployment instead.
create table deployment_logs (
  deployment_id text collate "C" not null,
  seq integer not null,
  at timestamptz not null,
  level text not null,
  stream text not null,
  message text not null,
  primary key (deployment_id, seq)
);

create function drop_deployment_logs() returns trigger language plpgsql as $$
begin
  delete from deployment_logs where deployment_id = old.id;
  return null;
end $$;
create trigger deployments_drop_logs after delete on deployments
  for each row execute function drop_deployment_logs();

-- A running copy of a server app, and where the nodes that face the world reach it.
create table app_instances (
  id text collate "C" primary key,
  deployment_id text collate "C" not null references deployments on delete cascade,
  worker_id text not null,
  host text,
  port integer,
  status text not null check (status in ('starting', 'healthy', 'stopping', 'failed')),
  restarts integer not null default 0,
  -- Why it is given up on, for people.
  problem text,
  lease_until timestamptz not null,
  created_at timestamptz not null default now()
);
create unique index app_instances_one on app_instances (deployment_id) where status in ('starting', 'healthy');
