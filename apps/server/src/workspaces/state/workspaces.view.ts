import {
  codedAs,
  type Workspace,
  type WorkspacePort,
  type WorkspaceSnapshot,
  workspaceReasons,
} from '@bottega/contract';
import type { PortRow } from './ports.sql.ts';
import type { SnapshotRow } from './snapshots.sql.ts';
import type { WorkspaceRow } from './workspaces.sql.ts';

export function workspaceView(row: WorkspaceRow, idleSeconds: number): Workspace {
  const { id, project_id, name, branch, mode, status, reason, created_by, last_used_at } = row;
  const isRunning = status === 'running';
  const sinceStart = isRunning && row.started_at ? (Date.now() - row.started_at.getTime()) / 1000 : 0;
  const shown = reason ?? row.layer_problem;
  return {
    id,
    project_id,
    name,
    branch,
    mode,
    status,
    reason: shown,
    ...codedAs('reason', workspaceReasons, shown),
    created_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    last_used_at: last_used_at.toISOString(),
    sleeps_at: isRunning ? new Date(last_used_at.getTime() + idleSeconds * 1000).toISOString() : null,
    saved_at: row.saved_at?.toISOString() ?? null,
    ignored_saved_at: row.packed_at?.toISOString() ?? null,
    network: row.network,
    language_servers: row.language_servers,
    running_seconds: Math.max(0, Math.round(row.running_seconds + sinceStart)),
  };
}

/** Host names have no underscore, so the id is written with a dash. */
export const portLabel = (workspaceId: string, port: number): string => `${port}-${workspaceId.replace('_', '-')}`;

export const portView = (row: PortRow, url: string): WorkspacePort => ({
  port: row.port,
  label: row.label,
  visibility: row.visibility,
  url,
  listening: row.is_listening,
});

export const snapshotView = (row: SnapshotRow): WorkspaceSnapshot => ({
  id: row.id,
  project_id: row.project_id,
  workspace_id: row.workspace_id,
  name: row.name,
  branch: row.branch,
  commit: row.commit_sha?.toString('hex') ?? null,
  size: row.bytes,
  created_at: row.created_at.toISOString(),
});
