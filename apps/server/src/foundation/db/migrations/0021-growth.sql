-- A history has a commit of every generation up to its head's. How many more there are beside these is inherited by
-- every commit with one parent, so that a history is counted without a walk. Null: not counted yet; whoever asks first
-- for the history of a merge, or of what was stored before this column, counts and keeps it.
alter table git_commits add column beside integer;
create index git_commits_generation on git_commits (project_id, generation);

-- A project is purged in batches. Once the first one has begun it cannot be restored any more.
alter table projects add column purging boolean not null default false;

-- As they were, but they say of which project: nodes look at its sessions and at no others.
create or replace function end_sessions_of_project() returns trigger language plpgsql as $$
begin
  update collaboration_sessions set ended_at = now(), end_reason = case
      when new.deleted_at is not null then 'project_deleted'
      when new.status = 'archived' then 'project_archived'
      else 'collaboration_disabled' end
    where project_id = new.id and ended_at is null;
  if found then
    perform pg_notify('bottega_sessions', new.id);
  end if;
  return null;
end $$;
create or replace function tell_sessions_of_rights() returns trigger language plpgsql as $$
begin
  if exists (select from collaboration_sessions where project_id = old.project_id and ended_at is null) then
    perform pg_notify('bottega_sessions', old.project_id);
  end if;
  return null;
end $$;
create or replace function tell_sessions_of_project() returns trigger language plpgsql as $$
begin
  if exists (select from collaboration_sessions where project_id = old.id and ended_at is null) then
    perform pg_notify('bottega_sessions', old.id);
  end if;
  return null;
end $$;
