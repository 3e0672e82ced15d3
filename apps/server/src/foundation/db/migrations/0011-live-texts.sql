-- Live texts: what sessions edit, beside the files that it is saved to; and the comments of sessions.

-- One for a project and path, kept for good: whoever was offline for a while has the same text, and comments their place.
create table live_texts (
  id text collate "C" primary key,
  project_id text collate "C" not null references projects on delete cascade,
  path text collate "C" not null,
  -- The file that it belongs to; its id survives a move.
  file_id text collate "C" not null,
  -- Set while there is no such file.
  removed_at timestamptz,
  -- The state of Yjs up to this number of an update.
  snapshot bytea not null,
  snapshot_seq bigint not null default 0,
  revision bigint not null default 0,
  -- No revision above it has ever been given out. Equal to the revision once the text was closed in order.
  reserved_revision bigint not null default 0,
  -- What the file held when text and file were last brought together, compressed; the object itself may be collected.
  base_sha bytea not null,
  base_content bytea not null,
  base_size integer not null,
  -- Users who have changed the text since it was last saved.
  unsaved_by text[] not null default '{}',
  updated_at timestamptz not null default now(),
  unique (project_id, path)
);
alter table live_texts alter column snapshot set storage external;
alter table live_texts alter column base_content set storage external;

-- Updates that were stored together, each behind its length in four bytes.
create table live_updates (
  text_id text collate "C" not null references live_texts on delete cascade,
  seq bigint not null,
  content bytea not null,
  primary key (text_id, seq)
);

create table session_comments (
  id text collate "C" primary key,
  session_id text collate "C" not null references collaboration_sessions on delete cascade,
  project_id text collate "C" not null references projects on delete cascade,
  parent_id text collate "C" references session_comments on delete cascade,
  author_id text collate "C" not null references users on delete cascade,
  -- Null: the place is not in a live text, and stays what it was said to be.
  text_id text collate "C" references live_texts on delete set null,
  file_path text collate "C" not null,
  -- Relative positions of Yjs: the place itself, and what the comment is about, from and to.
  anchor_place bytea,
  anchor_from bytea,
  anchor_to bytea,
  -- As the place was when the comment was made or last looked at.
  line integer not null,
  "column" integer not null,
  end_line integer,
  end_column integer,
  quoted_text text not null,
  orphaned boolean not null default false,
  content text not null,
  type text not null check (type in ('comment', 'suggestion', 'question', 'issue')),
  suggestion text,
  resolved_by text collate "C" references users on delete set null,
  resolved_at timestamptz,
  applied_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index session_comments_session on session_comments (session_id, file_path);
create index session_comments_text on session_comments (text_id);
create index session_comments_parent on session_comments (parent_id);
create index session_comments_author on session_comments (author_id);
create index session_comments_project on session_comments (project_id);
