import { Type } from 'typebox';
import { Timestamp } from '../primitives.ts';
import { eventFamily } from './family.ts';
import { exactly, inExampleProject, inProject, text } from './fields.ts';

const workspace = { workspace_id: text, ...inProject, name: text, branch: text };
const example = {
  workspace_id: 'wks_01jd2m6vz8e3r9x5k7q4w1t0ab',
  ...inExampleProject,
  name: 'main',
  branch: 'main',
};
const agent = { agent_id: 'key_01jd2m6vz8e3r9x5k7q4w1t0ab', agent_name: 'Coding agent' };
const only = (name: string) => ({ reference: name, core: null, guide: null });

export const workspaceEvents = eventFamily(
  { scope: 'read:workspaces', subject: 'workspace', fieldNames: { workspace_id: 'id' } },
  {
    'workspace.started': {
      description: 'A workspace started or woke up',
      names: only('workspace.started'),
      data: exactly({ ...workspace, started_at: Timestamp }),
      example: { ...example, started_at: '2026-01-03T03:05:00.000Z' },
    },
    'workspace.slept': {
      description: 'A workspace went to sleep, on request or because nobody used it',
      names: only('workspace.slept'),
      data: exactly({ ...workspace, slept_at: Timestamp }),
      example: { ...example, slept_at: '2026-01-03T03:20:00.000Z' },
    },
    'workspace.failed': {
      description: 'A workspace could not start, or stopped because of an error or a limit',
      names: only('workspace.failed'),
      data: exactly({ ...workspace, failed_at: Timestamp, reason: text }),
      example: { ...example, failed_at: '2026-01-03T03:20:00.000Z', reason: 'The workspace used too much disk space' },
    },
    'workspace.branch_changed': {
      description: 'Another branch was checked out in a workspace, and the workspace now follows that branch',
      names: only('workspace.branch_changed'),
      data: exactly({ ...workspace, former_branch: text, changed_at: Timestamp }),
      example: { ...example, branch: 'feature', former_branch: 'main', changed_at: '2026-01-03T03:05:02.000Z' },
    },
    'workspace.agent_stopped': {
      description:
        'A person stopped an agent in a workspace: the commands of the agent ended, and its further commands are refused',
      names: only('workspace.agent_stopped'),
      data: exactly({ ...workspace, agent_id: text, agent_name: text, stopped_at: Timestamp }),
      example: { ...example, ...agent, stopped_at: '2026-01-03T03:05:02.000Z' },
    },
    'workspace.agent_resumed': {
      description: 'A stopped agent can use a workspace again',
      names: only('workspace.agent_resumed'),
      data: exactly({ ...workspace, agent_id: text, agent_name: text, resumed_at: Timestamp }),
      example: { ...example, ...agent, resumed_at: '2026-01-03T03:10:00.000Z' },
    },
    'workspace.port_opened': {
      description: 'A program in a workspace began to listen on a port, for the first time since the workspace started',
      names: only('workspace.port_opened'),
      data: exactly({ ...workspace, port: Type.Integer(), url: text, opened_at: Timestamp }),
      example: {
        ...example,
        port: 5173,
        url: 'https://5173-wks-01jd2m6vz8e3r9x5k7q4w1t0ab.apps.example.com',
        opened_at: '2026-01-03T03:05:02.000Z',
      },
    },
  },
);
