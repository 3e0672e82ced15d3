-- A layer is an archive of the files of a workspace that the branch does not have, such as node_modules. Its pieces are
-- in `artifact_chunks`, by their digests: stored, counted and deleted as those of artifacts are.
create table workspace_layers (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  -- `setup`: the result of the project's setup, for every new workspace with the same key.
  kind text not null check (kind in ('setup', 'workspace')),
  -- What the setup depended on, if it has succeeded in these files.
  setup_key bytea,
  -- Changes if the files do.
  fingerprint text,
  chunks bytea not null default '',
  bytes bigint not null default 0,
  -- While it is not, its pieces are being written, and none of the project's pieces is deleted.
  is_complete boolean not null default false,
  -- The row of an unneeded layer is deleted after its pieces.
  is_needed boolean not null default true,
  created_at timestamptz not null default now()
);
create index workspace_layers_project on workspace_layers (project_id, id);
create unique index workspace_layers_setup on workspace_layers (project_id, setup_key) where kind = 'setup' and is_needed;
create index workspace_layers_unneeded on workspace_layers (project_id) where not is_needed;

create table workspace_snapshots (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  -- It may have been deleted since.
  workspace_id text collate "C" not null,
  name text not null,
  branch text collate "C" not null,
  commit_sha bytea,
  layer_id text collate "C" references workspace_layers,
  created_at timestamptz not null default now()
);
create index workspace_snapshots_project on workspace_snapshots (project_id, id);
create index workspace_snapshots_layer on workspace_snapshots (layer_id);

alter table workspaces
  -- The layer that the workspace starts with on a disk that has none of its files.
  add column layer_id text collate "C" references workspace_layers,
  -- The disk from which the layer was packed. The files on any other disk are older.
  add column packed_home text collate "C",
  -- When the layer was last known to have the files of that disk.
  add column packed_at timestamptz,
  -- Why the layer is not what it should be.
  add column layer_problem text,
  -- It is being deleted, so nothing has to be packed.
  add column is_leaving boolean not null default false;
create index workspaces_layer on workspaces (layer_id) where layer_id is not null;
