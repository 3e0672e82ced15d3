-- Names of users' own at which their projects answer. Several projects may claim a name, and one of them holds it: the one
-- whose proof was found. Its id is the proof, so that a record in DNS names one claim and no other.
create table domains (
  id text primary key,
  project_id text not null references projects on delete cascade,
  domain text not null,
  state text not null default 'pending' check (state in ('pending', 'verified', 'active', 'failed')),
  -- Another domain of the same project, which visitors are sent to.
  redirect_to text,
  reason_type text,
  reason_message text,
  -- What the last check has found in DNS.
  has_txt boolean not null default false,
  has_cname boolean not null default false,
  leads_here boolean not null default false,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  checked_at timestamptz,
  -- Since when no proof is found.
  unproven_since timestamptz,
  -- Null: it is not checked by itself any more.
  next_check_at timestamptz default now()
);

create unique index domains_of_project on domains (project_id, domain);
create unique index domains_held on domains (domain) where state in ('verified', 'active');
create index domains_due on domains (next_check_at) where next_check_at is not null;

-- A certificate for one of these names counts apart: it is none of the apps' host.
alter table certificates add column is_custom boolean not null default false;
