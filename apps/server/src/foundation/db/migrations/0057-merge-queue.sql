-- The merge of a request into its target that its checks run on. It belongs to the newest version for which it was made,
-- and to the target as it was then.
create table merge_request_tests (
  project_id text collate "C" not null,
  number integer not null,
  head_sha bytea not null,
  base_sha bytea not null,
  -- Null if there is nothing to check, or if the two cannot be merged.
  merge_sha bytea,
  tree_sha bytea,
  -- Whether the author can edit the project.
  trusted boolean not null,
  plan jsonb not null default '[]'::jsonb,
  problem text,
  tested_at timestamptz not null default clock_timestamp(),
  primary key (project_id, number),
  foreign key (project_id, number) references merge_requests on delete cascade
);

-- Requests that are merged once everything that is required is there. Each is tested together with those before it.
create table merge_queue (
  project_id text collate "C" not null,
  number integer not null,
  target text collate "C" not null,
  place bigint not null generated always as identity,
  strategy text not null check (strategy in ('merge', 'squash', 'rebase', 'fast_forward')),
  message text,
  delete_branch boolean not null,
  head_sha bytea not null,
  queued_by text collate "C" not null references users on delete cascade,
  request_id text not null,
  queued_at timestamptz not null default clock_timestamp(),
  -- The merge that is tested, and the commit that it was made on. Null while something else is missing.
  base_sha bytea,
  test_sha bytea,
  tree_sha bytea,
  plan jsonb not null default '[]'::jsonb,
  tested_at timestamptz,
  primary key (project_id, number),
  foreign key (project_id, number) references merge_requests on delete cascade
);
create index merge_queue_place on merge_queue (project_id, target, place);
create index merge_queue_tree on merge_queue (project_id, tree_sha) where tree_sha is not null;
create index merge_queue_queued_by on merge_queue (queued_by);
