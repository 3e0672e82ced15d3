-- A batch of the relay has a bounded number of events, also where one transaction made more: of the transaction `cut_xid`, which the position
-- does not include yet, everything up to `cut_seq` was fanned out.
alter table webhook_relay add column cut_xid xid8, add column cut_seq bigint;

-- Events that could not be fanned out after several tries. They are left out, so that those of others go on.
create table webhook_set_aside (
  event_id text collate "C" primary key,
  error text not null,
  set_aside_at timestamptz not null default now()
);
