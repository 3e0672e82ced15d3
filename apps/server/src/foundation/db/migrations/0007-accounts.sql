-- Accounts that exist were made by an operator, who vouched for their addresses.
alter table users add column email_verified_at timestamptz, add column suspended_at timestamptz;
update users set email_verified_at = created_at;

-- Somebody signed in with a browser. The cookie's value is nowhere but in that browser; here is its SHA-256.
create table sign_ins (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  digest bytea not null unique,
  address text not null,
  user_agent text not null,
  second_factor boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sign_ins_user on sign_ins (user_id, id);
create index sign_ins_expiry on sign_ins (expires_at);

-- What a mailed link carries, as its SHA-256. Using it deletes it.
create table account_tokens (
  digest bytea primary key,
  user_id text collate "C" not null references users on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index account_tokens_user on account_tokens (user_id, purpose);

create table second_factors (
  user_id text collate "C" primary key references users on delete cascade,
  secret_encrypted bytea not null,
  -- Null until its first code was given: before that it is asked for by nobody.
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted; no code of this or an earlier step is accepted again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id text collate "C" not null references users on delete cascade,
  digest bytea not null,
  primary key (user_id, digest)
);

-- Attempts to prove who one is, by the digest of what they were made on: an account, an address, both together. Nothing
-- in here tells whether there is such an account.
create table attempt_budgets (
  key bytea primary key,
  attempts integer not null,
  started_at timestamptz not null default now(),
  blocked_until timestamptz,
  -- An address from which this account was signed in to: attempts elsewhere do not lock its owner out there.
  trusted_until timestamptz,
  touched_at timestamptz not null default now()
);
create index attempt_budgets_touched on attempt_budgets (touched_at);

-- No foreign keys: the log outlives what it tells of.
create table audit_log (
  id text collate "C" primary key,
  action text not null,
  account_id text collate "C" not null,
  actor_id text collate "C",
  credential_kind text,
  credential_id text collate "C",
  address text,
  user_agent text,
  request_id text,
  subject_id text collate "C",
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_account on audit_log (account_id, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_created on audit_log (created_at);

create function keep_audit_log() returns trigger language plpgsql as $$
begin
  -- The cleaning says so, in its own transaction, and reaches no entry of the last day even then.
  if tg_op = 'DELETE' and current_setting('bottega.audit_cleaning', true) = 'on' then
    if old.created_at < now() - interval '1 day' then return old; end if;
  end if;
  raise exception 'the audit log is append-only' using errcode = '42501';
end $$;
create trigger audit_log_kept before update or delete on audit_log for each row execute function keep_audit_log();
create trigger audit_log_not_emptied before truncate on audit_log execute function keep_audit_log();

-- One row: what all nodes on this database have in common.
create table installation (
  singleton boolean primary key default true check (singleton),
  -- Derived from the secret key, one way: a node with another key would seal what the others cannot open.
  secret_key_check bytea not null
);
