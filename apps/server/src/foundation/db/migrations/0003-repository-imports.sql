-- How the import of a project's repository stands, and in words why the last one failed.
alter table projects
  add column repository_status text not null default 'idle'
    check (repository_status in ('idle', 'syncing', 'failed')),
  add column repository_error text;
