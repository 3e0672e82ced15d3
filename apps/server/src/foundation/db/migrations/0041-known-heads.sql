-- For a transaction that goes out whole, on what a node knows: what has to be so is said along with it, and where it is not, nothing
-- of it happens. The node knows it by the code.
create function must_hold(holds boolean) returns void language plpgsql as $$
begin
  if holds is not true then
    raise exception 'what the node knew does not hold any more' using errcode = 'BT001';
  end if;
end $$;

-- A tree of a hundred entries has 4 KB. Beyond 2 KB a value was cut into pieces, each with a row and an index entry of its own.
alter table git_objects set (toast_tuple_target = 8160);
