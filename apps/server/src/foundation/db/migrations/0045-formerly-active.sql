-- Whether a webhook gets an event is decided by the time of the event, but the relay reads the event later. A webhook that was switched
-- off, or off and on again, in between keeps the last period in which it was active.
alter table webhooks add column formerly_active tstzrange;

create or replace function webhook_revised() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    new.revision := old.revision + 1;
    if old.active and not new.active then
      new.formerly_active := tstzrange(old.active_since, greatest(old.active_since, now()), '[]');
    end if;
    if new.active and not old.active then
      new.active_since := now();
      new.disabled_reason := null;
      new.disabled_at := null;
      update webhook_health set failures_in_row = 0, paused_until = null where webhook_id = new.id;
    end if;
  end if;
  return new;
end $$;
