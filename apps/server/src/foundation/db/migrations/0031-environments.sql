-- Variables of a project: a name has one value in each environment.
create table variables (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  name text collate "C" not null,
  -- Null: every environment for which the name has no value of its own. Lists of one name have nothing in common.
  environments text[],
  kind text not null check (kind in ('secret', 'plain')),
  value_encrypted bytea not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text collate "C" references users on delete set null
);
create index variables_project on variables (project_id, name);
create index variables_updated_by on variables (updated_by);

alter table deployments
  -- Of the variables that it got, those that were its own and not the project's. Null: all of them.
  add column own_variable_names text[],
  -- The first label of the address of its branch; null for production.
  add column branch_label text collate "C",
  -- A preview whose branch is gone, or whose time has come: nothing is served of it any more.
  add column retired_at timestamptz;
create index deployments_branch_label on deployments (branch_label, number desc) where branch_label is not null;

-- Whether a running app is where a line comes from; it has lines of the service's own too.
alter table deployment_logs add column is_runtime boolean not null default false;

-- How a start of it failed, for whoever waits for the app: it is told before the app is given up on.
alter table app_instances
  add column exit_code integer,
  add column last_output text;
