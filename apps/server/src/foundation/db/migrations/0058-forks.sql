-- A fork is a copy of a project. Somebody who can only read the project offers changes from it.
alter table projects add column forked_from text collate "C" references projects on delete set null;
create index projects_forked_from on projects (forked_from) where forked_from is not null;

alter table merge_requests
  -- The fork that the source is a branch of. Null for the project itself. It stays when the fork is purged, so that the
  -- source is never taken for a branch of the project.
  add column source_project_id text collate "C",
  -- Why newer commits of the fork did not become a version.
  add column source_problem text,
  -- What its versions have brought from the fork.
  add column source_bytes bigint not null default 0,
  -- The commit whose checks a member has started.
  add column started_sha bytea;

drop index merge_requests_open;
create unique index merge_requests_open
  on merge_requests (project_id, coalesce(source_project_id, ''), source, target) where state = 'open';
create index merge_requests_fork on merge_requests (source_project_id, source)
  where source_project_id is not null and state = 'open';
