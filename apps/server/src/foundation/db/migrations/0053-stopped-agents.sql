-- Agents whose commands a person refuses in a workspace: [{"id", "name", "user_id", "stopped_by", "stopped_at"}]. They
-- are read with the workspace before each command, so they are no table of their own.
alter table workspaces add column stopped_agents jsonb not null default '[]'::jsonb;
