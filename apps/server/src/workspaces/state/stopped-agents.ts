import { conflict, type Principal } from '../../foundation/http/index.ts';

/** An agent whose commands a person refuses in a workspace. */
export type StoppedAgent = { id: string; name: string; user_id: string; stopped_by: string; stopped_at: string };

/** A program that acts for a user by itself. */
export type ActingAgent = { id: string; name: string };

/**
 * The agent that makes a request. Null for a person in a browser or at the command line. If a user has allowed an MCP
 * client several times, all these credentials are one agent.
 */
export function agentOf({ credential, app, serviceAccount }: Principal): ActingAgent | null {
  const { kind, id, audience, name = id } = credential;
  if (kind === 'session' || (kind === 'oauth' && audience !== 'mcp')) return null;
  return { id, name: serviceAccount?.name ?? app?.name ?? name };
}

type Row = { stopped_agents: StoppedAgent[] };

export function isStopped({ stopped_agents: stopped }: Row, principal: Principal): boolean {
  if (stopped.length === 0) return false;
  const id = agentOf(principal)?.id;
  return stopped.some((one) => one.id === id);
}

/** The words are for a model. If it got only an error, it would try again. */
export const stoppedWords =
  'A person stopped this agent in the workspace. Do not try again, and do not work around it: tell your user, who can resume the agent.';

export function mustNotBeStopped(row: Row, principal: Principal): void {
  if (isStopped(row, principal)) throw conflict(stoppedWords);
}
