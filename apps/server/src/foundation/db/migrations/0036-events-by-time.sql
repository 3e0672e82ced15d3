-- Tables that grow with time become partitioned by their key, which begins with its time. The table as it is becomes their first
-- partition, for keys of any time: nothing is read, moved or checked, so that this takes a moment whatever there is. Keys, indexes and
-- triggers get the names that they had, and the first partition's others. The service cuts off new partitions (foundation/partitions).
create function partition_by_time(name text, key text) returns void language plpgsql as $$
declare
  first text := name || '_first';
  constraint_definition text := (
    select pg_get_constraintdef(oid) from pg_constraint where conrelid = name::regclass and contype = 'p');
  index_definitions text[] := array(
    select pg_get_indexdef(indexrelid) from pg_index where indrelid = name::regclass and not indisprimary);
  triggers pg_trigger[] := array(select t from pg_trigger t where tgrelid = name::regclass and not tgisinternal);
  trigger_definitions text[] := array(
    select pg_get_triggerdef(oid) from pg_trigger where tgrelid = name::regclass and not tgisinternal);
  one record;
  definition text;
begin
  for one in select indexrelid::regclass::text as index from pg_index where indrelid = name::regclass loop
    execute format('alter index %s rename to %I', one.index, one.index || '_first');
  end loop;
  -- Those for each row are made for every partition by the table; those for a statement stay.
  for one in select tgname from unnest(triggers) where tgtype & 1 = 1 loop
    execute format('drop trigger %I on %I', one.tgname, name);
  end loop;
  execute format('alter table %I rename to %I', name, first);
  execute format('create table %I (like %I including all excluding indexes excluding identity) partition by range (%I)',
    name, first, key);
  execute format('alter table %I add %s', name, constraint_definition);
  foreach definition in array index_definitions || trigger_definitions loop
    execute definition;
  end loop;
  for one in select attname from pg_attribute where attrelid = first::regclass and attnum > 0 and attstattarget = 0 loop
    execute format('alter table %I alter column %I set statistics 0', name, one.attname);
  end loop;
  execute format('alter table %I attach partition %I for values from (minvalue) to (maxvalue)', name, first);
end $$;

-- Less than it takes until a deadlock is looked for: who waits for us goes on, and this is tried again.
set local lock_timeout = '500ms';
lock table events in access exclusive mode;
-- Partitions share a sequence, which an identity could not be before PostgreSQL 17.
create temporary table seq_before on commit drop as select last_value, is_called from events_seq_seq;
alter table events alter column seq drop identity;
create sequence events_seq_seq;
select setval('events_seq_seq', last_value, is_called) from seq_before;
alter table events alter column seq set default nextval('events_seq_seq');
select partition_by_time('events', 'id');
alter sequence events_seq_seq owned by events.seq;
