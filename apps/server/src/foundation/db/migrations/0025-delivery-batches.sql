-- What a worker sends at once after a fan-out is written as rows only with its outcome. Until then this is all that is
-- known of it: a list of deliveries as JSON, of which nothing but a crash, or an endpoint that takes long, makes rows.
create table webhook_batches (
  id bigint generated always as identity primary key,
  holder bigint not null,
  deliveries text not null,
  created_at timestamptz not null default now()
);
-- To compress what is deleted a moment later costs more than to write it.
alter table webhook_batches alter column deliveries set storage external;

-- The last attempt is logged in the delivery itself; webhook_attempts has those before. Null: it is there as well, from
-- before these columns, or there was none.
alter table webhook_deliveries add column request_headers json;
alter table webhook_deliveries add column response_headers json;
alter table webhook_deliveries alter column request_headers set statistics 0, alter column response_headers set statistics 0;
