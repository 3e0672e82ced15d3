import type { Tasks } from './enqueue.ts';

/**
 * Tasks of one queue share its workers and never wait for those of another queue. Imports are as slow as the server
 * from which they read, and must not delay mails and merges, for which people wait. The workers for mails, imports and
 * merges are also shared fairly: jobs of one account run one at a time, because `enqueueJob` gives them the account as
 * the name of their queue.
 */
export const workersOf = { mail: 4, imports: 4, merging: 2, upkeep: 2, packing: 1 } as const;

export type QueueName = keyof typeof workersOf;

export const queueNames = Object.keys(workersOf) as QueueName[];

export const queueOf: Record<keyof Tasks, QueueName> = {
  'mail:send': 'mail',
  'notifications:mail': 'mail',
  'repositories:import': 'imports',
  // Takes as long as the name servers of other people.
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
  // For a large project, git needs minutes.
  'repositories:pack': 'packing',
  'repositories:look': 'packing',
};

/**
 * Number of database connections for jobs. Each queue uses one to listen for new jobs. All queues share the other two
 * for claiming and ending jobs and for heartbeats.
 */
export const jobConnections = queueNames.length + 2;
