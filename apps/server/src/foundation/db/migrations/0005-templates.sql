-- Templates that users have published. Those that come with the service are files of its own and have no rows.
create table templates (
  id text collate "C" primary key,
  owner_id text collate "C" not null references users on delete cascade,
  -- What it is published from; null once that is purged.
  project_id text collate "C" references projects on delete set null,
  name text not null,
  description text not null,
  category text not null,
  language text not null,
  tags text[] not null,
  visibility text not null check (visibility in ('private', 'public')),
  featured boolean not null,
  variables jsonb not null,
  -- Of the project that it was published from: what a project from this template begins with.
  collaboration_enabled boolean not null,
  auto_save boolean not null,
  version_control boolean not null,
  -- One more for each time it is published anew, whose files replace the former ones.
  version integer not null,
  files_count integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index templates_owner on templates (owner_id);
create index templates_project on templates (project_id);
create index templates_public on templates (id) where visibility = 'public';

-- A snapshot: the files as they were when it was published, compressed as git's objects are.
create table template_files (
  template_id text collate "C" not null references templates on delete cascade,
  path text collate "C" not null,
  executable boolean not null,
  size integer not null,
  deflated bytea not null,
  primary key (template_id, path)
);
alter table template_files alter column deflated set storage external;

-- Which template a project was created from. No foreign key: it may be one of the service's own, or gone since.
alter table projects
  add column template_id text collate "C",
  add column template_version integer;
