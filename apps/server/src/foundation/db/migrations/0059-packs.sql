-- Old objects of a project, as packs with deltas. All of them are rows: a piece is a part of the file that ends where an
-- entry ends, and a bucket of the index has the entries whose ids begin with the same bits.
create table git_packs (
  id bigint generated always as identity primary key,
  project_id text collate "C" not null,
  -- The checksum at the end of the file. Git names packs by such checksums.
  name bytea not null,
  objects integer not null,
  bytes bigint not null,
  -- The number of leading bits of an object's id that select its bucket.
  bits smallint not null,
  -- The project's packs have all objects up to this one. Its number and its id.
  up_to bigint not null,
  last_sha bytea not null,
  -- Nothing needs these any more. They are left out when the pack is written again.
  gone integer not null default 0,
  -- Null while the pack is being written. Such a pack is not read.
  finished_at timestamptz
);
create index git_packs_project on git_packs (project_id);

create table git_pack_pieces (
  pack_id bigint not null references git_packs on delete cascade,
  start bigint not null,
  content bytea not null,
  primary key (pack_id, start)
);
-- Packs are compressed already.
alter table git_pack_pieces alter column content set storage external;

create table git_pack_buckets (
  pack_id bigint not null references git_packs on delete cascade,
  bucket integer not null,
  entries bytea not null,
  -- SHA-256 of the contents of its blobs, in order.
  checksums bytea not null,
  primary key (pack_id, bucket)
);
alter table git_pack_buckets alter column entries set storage external;
alter table git_pack_buckets alter column checksums set storage external;

-- The commits of a pack with their parents, and which of them changed what is at a path. A path is known by its hash, whose
-- leading bits select the bucket. A pack that is not here has its commits walked one by one.
create table git_pack_histories (
  pack_id bigint primary key references git_packs on delete cascade,
  graph bytea not null,
  bits smallint not null
);
alter table git_pack_histories alter column graph set storage external;

create table git_pack_paths (
  pack_id bigint not null references git_packs on delete cascade,
  bucket integer not null,
  entries bytea not null,
  primary key (pack_id, bucket)
);
alter table git_pack_paths alter column entries set storage external;

-- A large tree may be stored as what makes it of another one, which is stored whole.
alter table git_objects add column base bytea;
create index git_objects_base on git_objects (project_id, base) where base is not null;

create or replace function drop_git_objects() returns trigger language plpgsql as $$
begin
  delete from git_objects where project_id = old.id;
  delete from git_commits where project_id = old.id;
  delete from git_packs where project_id = old.id;
  return null;
end $$;
