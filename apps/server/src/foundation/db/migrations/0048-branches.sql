-- Files on branches other than main. Their trees are the truth, so a new branch copies nothing. A row here belongs to an
-- entry that was written on the branch: it keeps the id and the times, which a tree does not have, and saves reading
-- objects while its sha is the one in the tree. An entry without a row has the id of the entry that main had at the same
-- path when the branch was created (`based_at`), else an id derived from its path.
create table branch_entries (
  project_id text collate "C" not null,
  -- In full: refs/heads/feature.
  ref text collate "C" not null,
  path text collate "C" not null,
  id text collate "C" not null,
  is_directory boolean not null,
  -- A blob or a tree.
  sha bytea not null,
  executable boolean not null default false,
  size integer not null default 0,
  mime_type text not null default '',
  checksum bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, ref, path)
) with (fillfactor = 80);
create index branch_entries_id on branch_entries (project_id, ref, id);

-- A foreign key would look the branch up for every row of every write.
create function drop_branch_entries() returns trigger language plpgsql as $$
begin
  delete from branch_entries where project_id = old.project_id and ref = old.name;
  return null;
end $$;
create trigger git_refs_drop_branch_entries after delete on git_refs
  for each row execute function drop_branch_entries();

-- The number of files on a branch other than main. Null: not counted yet.
alter table git_refs
  add column based_at timestamptz not null default now(),
  add column files_count integer;

-- When an entry of main got its path. Nodes of a former version set it for new entries by the default.
alter table files add column placed_at timestamptz not null default now();
alter table directories add column placed_at timestamptz not null default now();

-- A live session shows one branch. Nodes of a former version know main only, and start sessions on it.
alter table collaboration_sessions add column branch text collate "C" not null default 'main';
alter table session_comments add column branch text collate "C" not null default 'main';
-- In live_texts, the text of a file on another branch has the path `feature:/src/main.ts`. No path of main looks like it,
-- so the unique key stays the one that nodes of a former version rely on.

-- Versions of the live protocol between nodes. 0: knows main only.
alter table live_nodes add column version integer not null default 0;

-- Whether every branch but main is deployed as a preview when it is pushed. Null, as in projects of former versions: as
-- auto_deploy says.
alter table projects add column auto_preview boolean;
