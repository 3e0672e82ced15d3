import { type Static, Type } from 'typebox';
import { NullableTimestamp, named, Timestamp } from './primitives.ts';

const AgentCommand = named('AgentCommand', {
  id: Type.String({ examples: ['cmd_01jd2m6vz8e3r9x5k7q4w1t0ab'] }),
  command: Type.String({ description: 'The beginning of the command, at most 200 characters' }),
  cwd: Type.String({ description: 'Working directory, relative to the project’s root' }),
  started_at: Timestamp,
});

export const WorkspaceAgent = named('WorkspaceAgent', {
  id: Type.String({
    description: 'Id of the API key, service account or service, or of the user’s consent to an MCP client',
    examples: ['key_01jd2m6vz8e3r9x5k7q4w1t0ab'],
  }),
  name: Type.String({ description: 'Name of the API key, service account, service or MCP client' }),
  user_id: Type.String({ description: 'The user for whom the agent works' }),
  status: Type.Enum(['running', 'idle', 'stopped'], {
    description:
      '`running`: a command of the agent is running now. `stopped`: a person stopped the agent, so its commands are refused.',
  }),
  commands: Type.Array(AgentCommand, { description: 'Commands that are running now, newest first; at most 5' }),
  last_command_at: NullableTimestamp,
  stopped_at: NullableTimestamp,
  stopped_by: Type.Union([Type.String(), Type.Null()], { description: 'The user who stopped the agent' }),
});
export type WorkspaceAgent = Static<typeof WorkspaceAgent>;

export const WorkspaceAgentList = Type.Object({ data: Type.Array(WorkspaceAgent) });
