-- An invitation is a collaborator who is pending. Its link carries a token, of which only the SHA-256 is here.
alter table collaborators
  add column message text not null default '',
  add column token_digest bytea;
-- Of someone with an account the account is unique, whatever address they were invited by.
drop index collaborators_project_email;
create unique index collaborators_project_address on collaborators (project_id, email) where user_id is null;
create unique index collaborators_token on collaborators (token_digest);
-- For an account that asks what its address was invited to before it existed.
create index collaborators_unclaimed on collaborators (email) where user_id is null;
create index collaborators_expiry on collaborators (expires_at) where status = 'pending';

-- The owner offers a project to another account. One offer a project at a time.
create table project_transfers (
  project_id text collate "C" primary key references projects on delete cascade,
  recipient_id text collate "C" not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index project_transfers_recipient on project_transfers (recipient_id);

-- By trigger, so that the figure also follows when collaborators go with their deleted account.
create function count_collaborators() returns trigger language plpgsql as $$
declare
  joined text[] := '{}';
  gone text[] := '{}';
begin
  if tg_op <> 'DELETE' then
    joined := array(select project_id from added where status = 'active');
  end if;
  if tg_op <> 'INSERT' then
    gone := array(select project_id from removed where status = 'active');
  end if;
  update project_stats s set collaborators_count = s.collaborators_count + changes.delta
  from (
    -- Locked in the same order by everyone who changes several.
    select s.project_id, sums.delta
    from (
      select project_id, sum(delta)::integer as delta
      from (
        select unnest(joined) as project_id, 1 as delta
        union all
        select unnest(gone), -1
      ) as each_one
      group by project_id
    ) as sums
    join project_stats s on s.project_id = sums.project_id
    where sums.delta <> 0
    order by s.project_id
    for no key update of s
  ) as changes
  where s.project_id = changes.project_id;
  return null;
end $$;

create trigger collaborators_inserted after insert on collaborators
  referencing new table as added for each statement execute function count_collaborators();
create trigger collaborators_updated after update on collaborators
  referencing new table as added old table as removed for each statement execute function count_collaborators();
create trigger collaborators_deleted after delete on collaborators
  referencing old table as removed for each statement execute function count_collaborators();

update project_stats s set collaborators_count = active.number
from (select project_id, count(*)::integer as number from collaborators where status = 'active' group by project_id) as active
where active.project_id = s.project_id;
