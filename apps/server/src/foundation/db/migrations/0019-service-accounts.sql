-- Accounts without a password, of which a JWT of their owner's services may say that it acts as them. They have a part of
-- their owner's rights: these scopes (none: all of them), and these projects as far as the owner reaches them.
create table service_accounts (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  name text not null,
  scopes text[] not null default '{}',
  projects text[] not null,
  created_at timestamptz not null default now()
);
create index service_accounts_user on service_accounts (user_id);

-- Which of the actor's service accounts it was; null: the actor.
alter table events add column service_account_id text collate "C";
