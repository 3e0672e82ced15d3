-- What concerns one user, written in the transaction of its cause. Names are looked up when it is shown, and so is the right to see it.
create table notifications (
  id text collate "C" primary key,
  user_id text collate "C" not null references users on delete cascade,
  type text not null,
  project_id text collate "C" references projects on delete cascade,
  actor_id text collate "C" references users on delete set null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  mailed_at timestamptz
);
create index notifications_user on notifications (user_id, id);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_created on notifications (created_at);
create index notifications_project on notifications (project_id);
create index notifications_actor on notifications (actor_id);
