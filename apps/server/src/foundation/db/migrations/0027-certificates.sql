-- By the directory of an authority: the account there, and who orders certificates now. One process of all nodes does.
create table certificate_accounts (
  directory text primary key,
  key_encrypted bytea not null,
  issuer_id text,
  issuer_until timestamptz not null default '-infinity'
);

-- Certificates for TLS, and the names that one is wanted for. A name of the service itself counts for no account.
create table certificates (
  directory text not null,
  name text not null,
  account_id text,
  wanted_at timestamptz not null default now(),
  -- PEM. Null until the first one is there, as the next four are.
  chain text,
  key_encrypted bytea,
  not_after timestamptz,
  renew_at timestamptz,
  -- When the authority is asked again about the renewal; null: it says nothing about it.
  look_at timestamptz,
  -- While an order is under way: what any process shows to the authority.
  key_authorization text,
  failures integer not null default 0,
  -- Why the last order failed, and when the next one may be made.
  problem text,
  next_try_at timestamptz not null default '-infinity',
  primary key (directory, name)
);
