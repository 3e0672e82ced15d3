import type { Tasks } from './enqueue.ts';

/**
 * Tasks of one queue share its workers and never wait for those of another: imports are as slow as another server, and
 * people wait for mails. The workers for mails and imports are also shared fairly: jobs of one account run one at a
 * time, by the names that `enqueueJob` gives them.
 */
export const workersOf = { mail: 4, imports: 4, upkeep: 2 } as const;

export type QueueName = keyof typeof workersOf;

export const queueNames = Object.keys(workersOf) as QueueName[];

export const queueOf: Record<keyof Tasks, QueueName> = {
  'mail:send': 'mail',
  'notifications:mail': 'mail',
  'repositories:import': 'imports',
  // As slow as other people's name servers.
  'domains:check': 'imports',
  'projects:purge': 'upkeep',
  'accounts:purge': 'upkeep',
  'repositories:collect': 'upkeep',
  'maintenance:clean': 'upkeep',
  'backups:make': 'upkeep',
};

/** Each queue listens on a connection of its own. Claims, ends and heartbeats of all of them share the rest. */
export const jobConnections = queueNames.length + 2;
