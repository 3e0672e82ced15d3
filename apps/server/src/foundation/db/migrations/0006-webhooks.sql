-- The outbox gets what its relay needs. `seq` is drawn while the change holds its locks, so that two changes of one project
-- have theirs in the order in which they happened. `xid` is the transaction that wrote the row: together with a snapshot
-- it tells exactly which events have become visible since, which neither a time nor a sequence can (transactions commit
-- in another order than they begin). What is there already is older than any webhook.
alter table events add column seq bigint generated always as identity;
alter table events add column xid xid8 not null default '3'::xid8;
alter table events alter column xid set default pg_current_xact_id();
create index events_xid on events (xid);

create table webhooks (
  id text collate "C" primary key,
  -- Whose access decides what it gets, and against whose limit it counts.
  owner_id text collate "C" not null references users on delete cascade,
  -- Null: account-wide. No foreign key: `project.deleted` still has to reach it. The purge takes it along.
  project_id text collate "C",
  created_by text collate "C" not null,
  format text not null check (format in ('reference', 'core', 'guide')),
  name text not null,
  description text not null default '',
  url text not null,
  -- Names of any taxonomy and wildcards, in the order given.
  events text[] not null,
  active boolean not null default true,
  -- Kept by the trigger: events from before it are not for this webhook.
  active_since timestamptz not null default now(),
  secret_encrypted bytea not null,
  -- Signs beside the new one until then.
  previous_secret_encrypted bytea,
  previous_secret_until timestamptz,
  -- JSON {name: value}; null: none.
  headers_encrypted bytea,
  -- Seconds for the whole exchange.
  timeout double precision not null default 30,
  -- As given; null: the format's own.
  retry_policy jsonb,
  ordered boolean not null default false,
  -- {projects?, paths?}; null: everything.
  filters jsonb,
  -- Why and when the service itself switched it off.
  disabled_reason text,
  disabled_at timestamptz,
  -- Kept by the trigger: whoever holds a copy knows whether it is still the present one.
  revision bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhooks_owner on webhooks (owner_id, created_at, id);
create index webhooks_account on webhooks (owner_id) where project_id is null and active;
create index webhooks_project on webhooks (project_id, created_at, id) where project_id is not null;

-- What changes with every delivery, apart from what its owner changes. No foreign key: a batch of outcomes holds the rows of
-- many webhooks, and would wait for whoever deletes one of them and waits for another.
create table webhook_health (
  webhook_id text collate "C" primary key,
  -- Deliveries in a row that used up their attempts; those that began before a pause do not count again.
  failures_in_row integer not null default 0,
  paused_until timestamptz,
  successful bigint not null default 0,
  failed bigint not null default 0,
  -- Deliveries whose last attempt was answered, and the milliseconds of those answers.
  responses bigint not null default 0,
  response_ms bigint not null default 0,
  last_delivery timestamptz
) with (fillfactor = 70);

-- Rises with every change of a webhook. The relay reads it in the snapshot in which it reads the events, and so knows
-- whether its idea of who subscribes to what is good for them.
create table webhook_generation (
  single boolean primary key default true check (single),
  value bigint not null
);
insert into webhook_generation (value) values (1);

create function webhook_revised() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.revision := old.revision + 1;
    if new.active and not old.active then
      new.active_since := now();
      new.disabled_reason := null;
      new.disabled_at := null;
      update webhook_health set failures_in_row = 0, paused_until = null where webhook_id = new.id;
    end if;
  end if;
  return new;
end $$;
create trigger webhook_revised before insert or update on webhooks for each row execute function webhook_revised();

create function webhooks_changed() returns trigger language plpgsql as $$
begin
  update webhook_generation set value = value + 1;
  perform pg_notify('bottega_webhooks', '');
  return null;
end $$;
create trigger webhooks_changed after insert or update or delete on webhooks
  for each statement execute function webhooks_changed();

-- How far the outbox has been fanned out: every event visible in this snapshot has been.
create table webhook_relay (
  single boolean primary key default true check (single),
  snapshot pg_snapshot not null,
  moved_at timestamptz not null default now()
);
insert into webhook_relay (snapshot) values (pg_current_snapshot());

-- Nodes that deliver. What a node without a recent beat holds is free for the others.
create table webhook_workers (
  id bigint generated always as identity primary key,
  beat_at timestamptz not null default now()
);

-- No foreign keys below: they would cost a query for every row of a batch. The cleaning job takes what is left behind.
create table webhook_deliveries (
  id text collate "C" primary key,
  webhook_id text collate "C" not null,
  event_id text collate "C" not null,
  -- The name under which it is delivered.
  event_type text not null,
  format text not null,
  kind text not null check (kind in ('event', 'test', 'redelivery', 'recovery')),
  original_delivery_id text collate "C",
  project_id text collate "C",
  -- The event's place where the webhook wants its project's events in order; null: whenever it is due.
  place bigint,
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  -- Why it failed for good: exhausted, refused (by our address rules), rejected (an answer that is not retried), gone (410),
  -- inactive, no_access.
  reason text,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- The worker that is about to send it. An outcome counts only while its worker holds the row at that attempt.
  holder bigint,
  response_code integer,
  response_time integer,
  response_body text,
  error text,
  -- The last attempt; null before the first.
  delivered_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null default now()
) with (fillfactor = 85);
create index webhook_deliveries_listing on webhook_deliveries (webhook_id, created_at, id);
create index webhook_deliveries_event on webhook_deliveries (event_id);
-- Few rows whatever the history: claims, counts of what is pending, and what a dead worker left.
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, due_at) where status = 'pending';
-- Those that are not the first of their event.
create index webhook_deliveries_again on webhook_deliveries (webhook_id) where kind in ('redelivery', 'recovery');
create index webhook_deliveries_failed on webhook_deliveries (webhook_id, created_at) where status = 'failed';

create table webhook_attempts (
  delivery_id text collate "C" not null,
  attempt integer not null,
  started_at timestamptz not null,
  response_code integer,
  response_time integer,
  error text,
  request_headers json not null,
  response_headers json,
  response_body text,
  primary key (delivery_id, attempt)
);

-- `data` as it is sent, once per event and format, with what the envelope needs: an event may be deleted before its last delivery.
create table webhook_payloads (
  event_id text collate "C" not null,
  format text not null,
  event_type text not null,
  event_at timestamptz not null,
  request_id text,
  idempotency_key text,
  data text not null,
  primary key (event_id, format)
);

-- Completed deliveries by the hour of their creation. `responses` are those whose last attempt was answered.
create table webhook_stats (
  webhook_id text collate "C" not null,
  hour timestamptz not null,
  event_type text not null,
  status text not null check (status in ('success', 'failed')),
  deliveries integer not null,
  responses integer not null,
  response_ms bigint not null,
  primary key (webhook_id, hour, event_type, status)
) with (fillfactor = 70);

-- Their response times by class (response-histogram.ts). Apart: only the percentiles of all of them ask for it, and it
-- has a hundred rows where the table above has one.
create table webhook_response_times (
  webhook_id text collate "C" not null,
  hour timestamptz not null,
  bucket smallint not null,
  deliveries integer not null,
  primary key (webhook_id, hour, bucket)
) with (fillfactor = 70);
