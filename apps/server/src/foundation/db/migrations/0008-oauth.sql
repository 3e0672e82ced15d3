-- Apps that act for users by OAuth 2.0. An app's id is its client_id.
create table oauth_apps (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  name text not null,
  type text not null check (type in ('confidential', 'public')),
  redirect_uris text[] not null check (cardinality(redirect_uris) > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index oauth_apps_user on oauth_apps (user_id, id);

-- One, or two during a rotation; none for a public app.
create table oauth_app_secrets (
  app_id text collate "C" not null references oauth_apps on delete cascade,
  digest bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (app_id, digest)
);

-- What a user has allowed an app, over all authorizations. Deleting it takes every grant with it.
create table oauth_consents (
  user_id text collate "C" not null references users on delete cascade,
  app_id text collate "C" not null references oauth_apps on delete cascade,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (user_id, app_id)
);
create index oauth_consents_app on oauth_consents (app_id);

-- One authorization: the family of a code and of all tokens that come of it. A reused code or refresh token ends it.
create table oauth_grants (
  id text collate "C" primary key,
  user_id text collate "C" not null,
  app_id text collate "C" not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (user_id, app_id) references oauth_consents on delete cascade
);
create index oauth_grants_consent on oauth_grants (user_id, app_id);
create index oauth_grants_expiry on oauth_grants (expires_at);

-- Codes, tokens, and authorizations in progress, found by the digest of what their holder shows. There is no foreign
-- key to the grant: whoever is issuing tokens while a reuse ends the family gets tokens that are dead, because every
-- look-up joins the grant, instead of an error that would make it seem as if no exchange had succeeded.
create table oauth_records (
  digest bytea primary key,
  model text not null,
  grant_id text collate "C",
  payload jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz not null
);
create index oauth_records_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_expiry on oauth_records (expires_at);
create index oauth_records_uid on oauth_records ((payload->>'uid')) where model = 'Session';
