-- A history has a commit of every generation up to its head's. How many more there are beside these is inherited by
-- every commit with one parent, so that a history is counted without a walk. Null: not counted yet; whoever asks first
-- for the history of a merge, or of what was stored before this column, counts and keeps it.
alter table git_commits add column beside integer;
create index git_commits_generation on git_commits (project_id, generation);

-- A project is purged in batches. Once the first one has begun it cannot be restored any more.
alter table projects add column purging boolean not null default false;
