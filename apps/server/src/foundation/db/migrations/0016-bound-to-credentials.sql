-- A webhook carries data out for as long as it is active, so one that an app made is bound to the authorization that its user
-- gave: when that ends, however it ends, the webhook is switched off. No foreign key: the webhook stays, for its user to see.
alter table webhooks add column grant_id text collate "C";
create index webhooks_grant on webhooks (grant_id) where grant_id is not null;
-- Whether an administrator's webhook gets the events of every account. Only where a credential without restriction made it.
alter table webhooks add column as_admin boolean not null default true;

create function webhooks_of_ended_grants() returns trigger language plpgsql as $$
begin
  if exists (select from webhooks as w join ended on ended.id = w.grant_id where w.active) then
    update webhooks as w
    set active = false, disabled_at = now(), disabled_reason = 'The authorization of the app that made it has ended'
    from ended where w.grant_id = ended.id and w.active;
  end if;
  return null;
end $$;
create trigger webhooks_of_ended_grants after delete on oauth_grants referencing old table as ended
  for each statement execute function webhooks_of_ended_grants();

-- Which credential an answer was made for, and how far and how long that reached: only one that reaches as far is told it again.
-- Of answers from before, every scope and no end.
alter table idempotent_answers add column credential_id text;
alter table idempotent_answers add column scopes text[] not null default '{}';
alter table idempotent_answers add column ends_at timestamptz;

-- Attempts that came while others had to wait: they were not looked at, but they are part of what the owner is warned of.
alter table attempt_budgets add column refused integer not null default 0;
