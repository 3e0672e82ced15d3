-- Sessions of live editing. The invite link's token is sealed, so that it can be shown again, and found by its digest.
create table collaboration_sessions (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  -- Null once the account is deleted: the guests, who have no more than its rights, then have none.
  creator_id text collate "C" references users on delete set null,
  name text not null,
  description text not null,
  -- Of those who join.
  may_write boolean not null,
  may_admin boolean not null,
  invite_encrypted bytea not null,
  invite_digest bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text
);
create index collaboration_sessions_open on collaboration_sessions (project_id, id) where ended_at is null;
create index collaboration_sessions_creator on collaboration_sessions (creator_id);

-- Whoever joined, and what they were given. What they may is that, within their rights in the project as they are now;
-- a guest has none there and is held to the creator's.
create table session_participants (
  session_id text collate "C" not null references collaboration_sessions on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  status text not null default 'joined' check (status in ('joined', 'left', 'removed')),
  is_guest boolean not null,
  may_write boolean not null,
  may_admin boolean not null,
  joined_at timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  primary key (session_id, user_id)
);
create index session_participants_user on session_participants (user_id, session_id);

-- For one connection within a minute. It is as good as the credential that it was made with, and ends with it.
create table session_tickets (
  digest bytea primary key,
  session_id text collate "C" not null references collaboration_sessions on delete cascade,
  user_id text collate "C" not null references users on delete cascade,
  credential jsonb not null,
  scopes text[] not null,
  expires_at timestamptz not null
);
create index session_tickets_expiry on session_tickets (expires_at);
create index session_tickets_session on session_tickets (session_id);
create index session_tickets_user on session_tickets (user_id);

-- Nodes with sockets leave a beat every moment. What belongs to one that has missed several is nobody's.
create table live_nodes (
  id text collate "C" primary key,
  address text not null,
  beat_at timestamptz not null default now()
);

-- No references to users and sessions: they would lock rows of those at every connection, for nothing.
create table live_sockets (
  id text collate "C" primary key,
  node_id text collate "C" not null references live_nodes on delete cascade,
  session_id text collate "C" not null,
  user_id text collate "C" not null,
  opened_at timestamptz not null default now()
);
create index live_sockets_node on live_sockets (node_id);
create index live_sockets_user on live_sockets (user_id);
create index live_sockets_session on live_sockets (session_id, user_id);

-- Which node has the live texts of a project. The epoch rises with every change of hands and never comes again.
create sequence live_epochs;
create table live_owners (
  project_id text collate "C" primary key references projects on delete cascade,
  node_id text collate "C" not null,
  address text not null,
  epoch bigint not null default nextval('live_epochs'),
  expires_at timestamptz not null
);
create index live_owners_node on live_owners (node_id);

-- Whatever takes collaboration away from a project ends its sessions in the same transaction, whoever did it; and the
-- nodes hear at once of what changes the rights of open sockets. None of it is in the path of a file write.
create function end_sessions_of_project() returns trigger language plpgsql as $$
begin
  update collaboration_sessions set ended_at = now(), end_reason = case
      when new.deleted_at is not null then 'project_deleted'
      when new.status = 'archived' then 'project_archived'
      else 'collaboration_disabled' end
    where project_id = new.id and ended_at is null;
  if found then
    perform pg_notify('bottega_sessions', '');
  end if;
  return null;
end $$;
create trigger projects_collaboration_ends after update on projects for each row
  when (new.deleted_at is not null and old.deleted_at is null
    or new.status = 'archived' and old.status <> 'archived'
    or old.collaboration_enabled and not new.collaboration_enabled)
  execute function end_sessions_of_project();

create function tell_sessions_of_rights() returns trigger language plpgsql as $$
begin
  if exists (select from collaboration_sessions where project_id = old.project_id and ended_at is null) then
    perform pg_notify('bottega_sessions', '');
  end if;
  return null;
end $$;
create trigger collaborators_lose_rights after update of permissions, status or delete on collaborators
  for each row execute function tell_sessions_of_rights();

create function tell_sessions_of_project() returns trigger language plpgsql as $$
begin
  if exists (select from collaboration_sessions where project_id = old.id and ended_at is null) then
    perform pg_notify('bottega_sessions', '');
  end if;
  return null;
end $$;
create trigger projects_change_hands after update on projects for each row
  when (old.owner_id <> new.owner_id or old.public <> new.public)
  execute function tell_sessions_of_project();
