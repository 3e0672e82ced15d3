import type { Row } from './authorisation-row.ts';

const all = '/v1/projects/{project_id}/workspaces';
const one = `${all}/{workspace_id}`;
const snapshots = '/v1/projects/{project_id}/snapshots';

/** Members see what runs; those who can edit the project can run something. */
export const workspaceAuthorisation: Record<string, Row | Row[]> = {
  [`GET ${all}`]: { needs: 'operations', status: 200 },
  [`POST ${all}`]: { needs: 'write', status: 201, json: {} },
  [`GET ${one}`]: { needs: 'operations', status: 200 },
  // What runs in a project that was archived can still be ended.
  [`DELETE ${one}`]: { needs: 'write', status: 204, whileArchived: 204 },
  [`POST ${one}/start`]: { needs: 'write', status: 200 },
  [`POST ${one}/sleep`]: { needs: 'write', status: 200, whileArchived: 200 },
  [`POST ${one}/fork`]: { needs: 'write', status: 201, json: {} },
  [`POST ${one}/snapshots`]: { needs: 'write', status: 201, json: { name: 'x' } },
  [`GET ${snapshots}`]: { needs: 'operations', status: 200 },
  [`DELETE ${snapshots}/{snapshot_id}`]: { needs: 'write', status: 204 },
  [`POST ${one}/commands`]: { needs: 'write', status: 200, json: { command: 'true' } },
  [`GET ${one}/commands`]: { needs: 'operations', status: 200 },
  [`GET ${one}/commands/{command_id}`]: { needs: 'operations', status: 200 },
  [`GET ${one}/commands/{command_id}/output`]: { needs: 'operations', status: 200 },
  [`POST ${one}/commands/{command_id}/stdin`]: { needs: 'write', status: 204, json: { data: 'x' } },
  [`POST ${one}/commands/{command_id}/signal`]: { needs: 'write', status: 200, json: {} },
  [`POST ${one}/terminals`]: { needs: 'write', status: 201, json: {} },
  [`GET ${one}/terminals`]: { needs: 'operations', status: 200 },
  [`DELETE ${one}/terminals/{terminal_id}`]: { needs: 'write', status: 204 },
  [`GET ${one}/processes`]: { needs: 'operations', status: 200 },
  [`POST ${one}/processes/{pid}/signal`]: { needs: 'write', status: 204, json: {} },
  [`GET ${one}/agents`]: { needs: 'operations', status: 200 },
  [`POST ${one}/agents/{agent_id}/stop`]: { needs: 'write', status: 200 },
  [`POST ${one}/agents/{agent_id}/resume`]: { needs: 'write', status: 200 },
  [`GET ${one}/diagnostics`]: { needs: 'operations', status: 200 },
  [`GET ${one}/ports`]: { needs: 'operations', status: 200 },
  [`PATCH ${one}/ports/{port}`]: { needs: 'write', status: 200, json: { visibility: 'members' } },
  [`POST ${one}/ports/{port}/tickets`]: { needs: 'operations', status: 201, reads: true, json: {} },
  [`GET ${one}/ports/{port}/open`]: { needs: 'operations', status: 303, scope: 'read:workspaces' },
};
