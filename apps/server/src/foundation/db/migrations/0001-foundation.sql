-- Identifiers are TypeIDs (prefix and time-ordered UUID). The C collation keeps them in time order and compares fastest.

create table users (
  id text collate "C" primary key,
  email text not null check (length(email) <= 254),
  username text collate "C" not null unique,
  name text not null,
  password_hash text,
  is_admin boolean not null default false,
  plan text not null default 'free' check (plan in ('free', 'pro', 'enterprise')),
  subscription_status text not null default 'active' check (subscription_status in ('active', 'past_due', 'canceled')),
  subscription_expires_at timestamptz,
  -- Null: the generated picture.
  avatar_url text,
  theme text not null default 'system',
  language text not null default 'en',
  notify_email boolean not null default true,
  notify_push boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- E-mail addresses are stored in lower case; the index is the rule that no two accounts share one.
create unique index users_email on users (email);

create table api_keys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  name text not null,
  hint text not null,
  digest bytea not null unique,
  scopes text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_user on api_keys (user_id, id);

-- A service signs JWTs for its user. At most two keys live at a time: the current one and its predecessor.
create table services (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  issuer text collate "C" not null unique,
  created_at timestamptz not null default now()
);
create index services_user on services (user_id, id);

create table service_keys (
  service_id text collate "C" not null references services on delete cascade,
  kid text collate "C" not null,
  secret_encrypted bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (service_id, kid)
);

create table projects (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  name text not null,
  description text not null default '',
  status text not null default 'active' check (status in ('active', 'archived')),
  public boolean not null default false,
  collaboration_enabled boolean not null default true,
  auto_save boolean not null default true,
  version_control boolean not null default true,
  repository_url text,
  repository_branch text,
  repository_last_sync timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index projects_owner on projects (owner_id);
create index projects_deleted on projects (deleted_at) where deleted_at is not null;

-- Figures that change far more often than the project itself: a narrow row of its own keeps those updates cheap.
create table project_stats (
  project_id text collate "C" primary key references projects on delete cascade,
  files_count integer not null default 0,
  stored_bytes bigint not null default 0,
  collaborators_count integer not null default 0,
  last_activity timestamptz not null default now()
) with (fillfactor = 70);

create table collaborators (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  -- Null while the invited address has no account.
  user_id text collate "C" references users on delete cascade,
  email text not null,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  permissions text[] not null,
  status text not null check (status in ('pending', 'active')),
  invited_by text collate "C" references users on delete set null,
  invited_at timestamptz not null default now(),
  joined_at timestamptz,
  expires_at timestamptz
);
create unique index collaborators_project_email on collaborators (project_id, email);
create unique index collaborators_project_user on collaborators (project_id, user_id);
create index collaborators_user on collaborators (user_id);

-- What each user's project list shows: one row per user and project that is not deleted, with the sort and search
-- keys beside the user, so that a page, a filter and a search are each one range of one index however many projects
-- there are. Written in the transaction of the change by projects.listing.sql.ts.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table project_listing (
  user_id text collate "C" not null references users on delete cascade,
  project_id text collate "C" not null references projects on delete cascade,
  owned boolean not null,
  status text not null,
  name_key text collate "C" not null,
  search_text text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, user_id)
);
create index project_listing_created on project_listing (user_id, status, created_at, project_id);
create index project_listing_updated on project_listing (user_id, status, updated_at, project_id);
create index project_listing_name on project_listing (user_id, status, name_key, project_id);
create index project_listing_search on project_listing using gin (user_id, search_text gin_trgm_ops);

-- Exact totals without counting. Sixteen slots per user, chosen by connection, so that parallel creates of one user
-- do not queue behind one row until each other's commit.
create table project_counters (
  user_id text collate "C" not null references users on delete cascade,
  slot smallint not null,
  active bigint not null default 0,
  archived bigint not null default 0,
  owned bigint not null default 0,
  primary key (user_id, slot)
) with (fillfactor = 70);

create type project_count_change as (user_id text, status text, owned boolean, delta integer);

create function count_listed_projects() returns trigger language plpgsql as $$
declare
  changes project_count_change[] := '{}';
begin
  if tg_op <> 'DELETE' then
    changes := changes || array(select row(user_id, status, owned, 1)::project_count_change from added);
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || array(select row(user_id, status, owned, -1)::project_count_change from removed);
  end if;
  insert into project_counters as c (user_id, slot, active, archived, owned)
  select user_id, pg_backend_pid() % 16, active, archived, owned
  from (
    select user_id,
           coalesce(sum(delta) filter (where status = 'active'), 0) as active,
           coalesce(sum(delta) filter (where status = 'archived'), 0) as archived,
           coalesce(sum(delta) filter (where owned), 0) as owned
    from unnest(changes)
    group by user_id
  ) as sums
  -- A cascade from a deleted account reaches here when the account is gone, and its counters with it.
  where (active <> 0 or archived <> 0 or owned <> 0) and exists (select from users where id = sums.user_id)
  -- Two statements that touch the same users must lock their rows in the same order.
  order by user_id
  on conflict (user_id, slot) do update
  set active = c.active + excluded.active, archived = c.archived + excluded.archived, owned = c.owned + excluded.owned;
  return null;
end $$;

create trigger project_listing_inserted after insert on project_listing
  referencing new table as added for each statement execute function count_listed_projects();
create trigger project_listing_updated after update on project_listing
  referencing new table as added old table as removed for each statement execute function count_listed_projects();
create trigger project_listing_deleted after delete on project_listing
  referencing old table as removed for each statement execute function count_listed_projects();

-- The outbox: written in the transaction of the change. No foreign keys, since an event outlives what it tells of.
create table events (
  id text collate "C" primary key,
  type text not null,
  -- The account whose event it is: a project's owner, or the user themselves.
  account_id text collate "C" not null,
  project_id text collate "C",
  actor_id text collate "C",
  data jsonb not null,
  request_id text,
  idempotency_key text,
  created_at timestamptz not null default now()
);
create index events_created on events using brin (created_at);

create table idempotent_answers (
  -- SHA-256 of user, method, path and key.
  claim bytea primary key,
  -- SHA-256 of the request body.
  fingerprint bytea not null,
  status smallint not null,
  -- Some answers hold a secret that is shown once.
  answer_encrypted bytea not null,
  created_at timestamptz not null default now()
);
create index idempotent_answers_created on idempotent_answers (created_at);

-- Which job workers live. graphile-worker itself frees the jobs of a dead one only after four hours.
create table job_workers (
  worker_id text primary key,
  beat_at timestamptz not null default now()
);
