import type { Tasks } from './enqueue.ts';

/**
 * Tasks of one queue share its workers, and those of another never wait for them: imports are as slow as somebody
 * else's server, and a mail is waited for. The workers of mails and imports are also shared fairly: of one account one job
 * runs at a time, by the names that `enqueueJob` gives them.
 */
export const workersOf = { mail: 4, imports: 4, upkeep: 2 } as const;

export type QueueName = keyof typeof workersOf;

export const queueNames = Object.keys(workersOf) as QueueName[];

export const queueOf: Record<keyof Tasks, QueueName> = {
  'mail:send': 'mail',
  'repositories:import': 'imports',
  // As slow as the name servers of others.
  'domains:check': 'imports',
  'projects:purge': 'upkeep',
  'accounts:purge': 'upkeep',
  'repositories:collect': 'upkeep',
  'maintenance:clean': 'upkeep',
  'backups:make': 'upkeep',
};

/** Each queue listens on a connection of its own; claims, ends and heartbeats of all of them share the rest. */
export const jobConnections = queueNames.length + 2;
