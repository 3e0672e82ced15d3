-- A piece of an artifact is in its row, or in a bucket: then the row says where, and how long it is.
alter table artifact_chunks
  alter column content drop not null,
  add column object text collate "C",
  add column object_bytes integer,
  add constraint artifact_chunks_place check (
    (content is null) = (object is not null) and (object is null) = (object_bytes is null));

-- Objects in buckets that no row needs, to be deleted after their time. One that is about to be written is here too, until
-- a row names it: whatever a process that was killed has written goes by itself.
create table unneeded_objects (
  address text collate "C" primary key,
  delete_after timestamptz not null
);
create index unneeded_objects_due on unneeded_objects (delete_after);

-- However a row goes, with its project too, its object goes after it. An hour later, since somebody may be reading it.
create function object_unneeded() returns trigger language plpgsql as $$
begin
  insert into unneeded_objects (address, delete_after) values (old.object, now() + interval '1 hour')
  on conflict (address) do update set delete_after = excluded.delete_after;
  return null;
end $$;
create trigger artifact_chunks_deleted after delete on artifact_chunks
  for each row when (old.object is not null) execute function object_unneeded();
create trigger artifact_chunks_moved after update of object on artifact_chunks
  for each row when (old.object is not null and new.object is distinct from old.object) execute function object_unneeded();
