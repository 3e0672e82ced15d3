-- Git's own objects, in its canonical form. The content is stored as zlib made it, so that a pack for a clone is a
-- concatenation of rows. No foreign key: every write adds several objects, and each would be checked; a trigger below
-- removes them with their project instead.
create table git_objects (
  project_id text collate "C" not null,
  sha bytea not null,
  -- As in a pack: 1 commit, 2 tree, 3 blob, 4 tag.
  type smallint not null,
  size integer not null,
  deflated bytea not null,
  -- SHA-256 of a blob's content; null for the others.
  checksum bytea,
  -- Rises within a project, because its writes are serialised: what a cache lacks is what came after it.
  seq bigint generated always as identity,
  primary key (project_id, sha)
);
alter table git_objects alter column deflated set storage external;
create index git_objects_seq on git_objects (project_id, seq);

-- Commits, read once when they arrive, so that history is a query. The generation is one more than the highest of the
-- parents': sorting by it puts every commit before its parents, also those of the same second.
create table git_commits (
  project_id text collate "C" not null,
  sha bytea not null,
  tree_sha bytea not null,
  parents bytea[] not null,
  generation integer not null,
  author_name text not null,
  author_email text not null,
  committed_at timestamptz not null,
  message text not null,
  primary key (project_id, sha)
);

create table git_refs (
  project_id text collate "C" not null references projects on delete cascade,
  -- In full: refs/heads/main, refs/tags/v1.
  name text collate "C" not null,
  sha bytea not null,
  -- What an annotated tag points to in the end; null for everything else.
  peeled bytea,
  updated_at timestamptz not null default now(),
  primary key (project_id, name)
);

-- What is at the head of the default branch, so that listing and reading are one query. Rows follow the tree: for every
-- project the two must be equal, and a test holds them to it.
create table files (
  project_id text collate "C" not null references projects on delete cascade,
  path text collate "C" not null,
  -- The directory it is in; '' is the root.
  parent text collate "C" not null,
  id text collate "C" not null unique,
  blob_sha bytea not null,
  executable boolean not null default false,
  size integer not null,
  mime_type text not null,
  checksum bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, path)
) with (fillfactor = 80);
create index files_parent on files (project_id, parent);

-- A directory exists while there is something in it. tree_sha is null without version control.
create table directories (
  project_id text collate "C" not null references projects on delete cascade,
  path text collate "C" not null,
  parent text collate "C",
  id text collate "C" not null unique,
  tree_sha bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, path)
) with (fillfactor = 80);
create index directories_parent on directories (project_id, parent);

create function drop_git_objects() returns trigger language plpgsql as $$
begin
  delete from git_objects where project_id = old.id;
  delete from git_commits where project_id = old.id;
  return null;
end $$;
create trigger projects_drop_git_objects after delete on projects
  for each row execute function drop_git_objects();
