-- Workspaces: a branch's files in a running sandbox. A row says whether the workspace should run (`wanted`) and which
-- worker runs it until when. The files that git tracks are on the branch; the others are on the worker's disk.
create table workspaces (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  created_by text collate "C" not null references users on delete cascade,
  name text not null,
  branch text collate "C" not null,
  mode text not null check (mode in ('follow', 'own')),
  status text not null check (status in ('starting', 'running', 'sleeping', 'failed')),
  wanted boolean not null default true,
  reason text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  last_used_at timestamptz not null default now(),
  saved_at timestamptz,
  running_seconds double precision not null default 0,
  -- The worker whose disk has the workspace's own files.
  home text collate "C",
  worker_id text collate "C",
  -- Grows with each worker that takes the workspace; an older worker's writes are refused.
  epoch integer not null default 0,
  lease_until timestamptz,
  -- Where the worker accepts connections of other nodes to the workspace.
  host text,
  port integer
);
create index workspaces_project on workspaces (project_id, id);
create index workspaces_wanted on workspaces (id) where wanted;
create index workspaces_worker on workspaces (worker_id) where worker_id is not null;
create index workspaces_created_by on workspaces (created_by);

create table workspace_ports (
  workspace_id text collate "C" not null references workspaces on delete cascade,
  port integer not null,
  visibility text not null default 'owner' check (visibility in ('owner', 'members', 'public')),
  label text,
  is_listening boolean not null default false,
  primary key (workspace_id, port)
);
