-- Merge requests: a branch's changes, offered for another branch. A version is what the source had at a push, or when somebody
-- looked at it. References `refs/merge-requests/{number}/{version}` keep the commits of versions that a force push replaced.
create table merge_requests (
  project_id text collate "C" not null references projects on delete cascade,
  number integer not null,
  author_id text collate "C" references users on delete set null,
  source text collate "C" not null,
  target text collate "C" not null,
  title text not null,
  description text not null default '',
  state text not null default 'open' check (state in ('open', 'merged', 'closed')),
  draft boolean not null default false,
  labels text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  merged_at timestamptz,
  closed_at timestamptz,
  merged_by text collate "C" references users on delete set null,
  merge_sha bytea,
  primary key (project_id, number)
);
create unique index merge_requests_open on merge_requests (project_id, source, target) where state = 'open';
create index merge_requests_state on merge_requests (project_id, state, number desc);
create index merge_requests_author on merge_requests (author_id) where author_id is not null;
create index merge_requests_merged_by on merge_requests (merged_by) where merged_by is not null;

create table merge_request_people (
  project_id text collate "C" not null,
  number integer not null,
  part text not null check (part in ('reviewer', 'assignee')),
  user_id text collate "C" not null references users on delete cascade,
  primary key (project_id, number, part, user_id),
  foreign key (project_id, number) references merge_requests on delete cascade
);
create index merge_request_people_user on merge_request_people (user_id, part);

create table merge_request_versions (
  project_id text collate "C" not null,
  number integer not null,
  version integer not null,
  head_sha bytea not null,
  base_sha bytea not null,
  -- Null until git has found it.
  merge_base_sha bytea,
  -- The same for two versions that change the same lines in the same way. Null until somebody needs it.
  patch_id bytea,
  pushed_by text collate "C" references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, number, version),
  foreign key (project_id, number) references merge_requests on delete cascade
);
create index merge_request_versions_pushed_by on merge_request_versions (pushed_by) where pushed_by is not null;

-- A thread belongs to lines of one version. Its place in the newest version is computed when somebody looks, and kept.
create table merge_request_threads (
  id text collate "C" primary key,
  project_id text collate "C" not null,
  number integer not null,
  version integer not null,
  path text collate "C",
  side text check (side in ('LEFT', 'RIGHT')),
  start_line integer,
  line integer,
  text text,
  placed_version integer not null,
  place_path text collate "C",
  place_start integer,
  place_line integer,
  outdated boolean not null default false,
  resolved_at timestamptz,
  resolved_by text collate "C" references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (project_id, number) references merge_requests on delete cascade
);
create index merge_request_threads_request on merge_request_threads (project_id, number, id);
create index merge_request_threads_resolved_by on merge_request_threads (resolved_by) where resolved_by is not null;

create table merge_request_comments (
  id text collate "C" primary key,
  thread_id text collate "C" not null references merge_request_threads on delete cascade,
  project_id text collate "C" not null,
  number integer not null,
  author_id text collate "C" references users on delete set null,
  body text not null,
  draft boolean not null default false,
  applied_sha bytea,
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz
);
create index merge_request_comments_thread on merge_request_comments (thread_id, id);
create index merge_request_comments_request on merge_request_comments (project_id, number);
create index merge_request_comments_author on merge_request_comments (author_id) where author_id is not null;

create table merge_request_reviews (
  id text collate "C" primary key,
  project_id text collate "C" not null,
  number integer not null,
  author_id text collate "C" references users on delete set null,
  event text not null check (event in ('APPROVE', 'REQUEST_CHANGES', 'COMMENT')),
  body text not null,
  version integer not null,
  patch_id bytea not null,
  submitted_at timestamptz not null default clock_timestamp(),
  foreign key (project_id, number) references merge_requests on delete cascade
);
create index merge_request_reviews_request on merge_request_reviews (project_id, number, id);
create index merge_request_reviews_author on merge_request_reviews (author_id) where author_id is not null;

-- A mark holds while the file has this content.
create table merge_request_viewed (
  project_id text collate "C" not null,
  number integer not null,
  user_id text collate "C" not null references users on delete cascade,
  path text collate "C" not null,
  sha bytea not null,
  primary key (project_id, number, user_id, path),
  foreign key (project_id, number) references merge_requests on delete cascade
);
create index merge_request_viewed_user on merge_request_viewed (user_id);
