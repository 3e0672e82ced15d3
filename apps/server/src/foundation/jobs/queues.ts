import type { Tasks } from './enqueue.ts';

/**
 * Tasks of one queue share its workers and never wait for those of another queue. Imports are as slow as the other
 * server, and people wait for mails and merges. The workers for mails, imports and merges are also shared fairly: jobs of
 * one account run one at a time, by the names that `enqueueJob` gives them.
 */
export const workersOf = { mail: 4, imports: 4, merging: 2, upkeep: 2, packing: 1 } as const;

export type QueueName = keyof typeof workersOf;

export const queueNames = Object.keys(workersOf) as QueueName[];

export const queueOf: Record<keyof Tasks, QueueName> = {
  'mail:send': 'mail',
  'notifications:mail': 'mail',
  'repositories:import': 'imports',
  // As slow as other people's name servers.
  'domains:check': 'imports',
  'checks:completed': 'merging',
  'merge-requests:test': 'merging',
  'merge-requests:follow': 'merging',
  'merge-requests:queue': 'merging',
  'projects:purge': 'upkeep',
  'accounts:purge': 'upkeep',
  'repositories:collect': 'upkeep',
  'maintenance:clean': 'upkeep',
  'backups:make': 'upkeep',
  // Minutes of git for a large project.
  'repositories:pack': 'packing',
  'repositories:look': 'packing',
};

/**
 * Number of connections. Each queue listens on its own. All queues share the others for claims, ends and heartbeats.
 */
export const jobConnections = queueNames.length + 2;
