import type { AdminHealth } from '@bottega/contract';
import type { healthWords } from './health.words.ts';

type Words = { [Name in keyof (typeof healthWords)['en']]: (typeof healthWords)['de'][Name] };

const longestReadySeconds = 60;
const longestOverdueSeconds = 60;

/** Why the service is unhealthy: one sentence for each problem, with its effect on users. */
export function problemsOf(health: AdminHealth, words: Words, lasting: (seconds: number) => string): string[] {
  const { builds, webhooks } = health.parts as {
    builds?: { sandbox?: { problem?: string | null } | null };
    webhooks?: { overdue_seconds?: number; events_set_aside?: number };
  };
  const overdue = webhooks?.overdue_seconds ?? 0;
  return [
    ...(health.node.draining ? [words.draining] : []),
    ...(health.workers.some(({ alive }) => alive) ? [] : [words.noWorker]),
    ...health.jobs.filter(({ failed }) => failed > 0).map(({ failed, task }) => words.failedJobs(failed, task)),
    ...health.jobs
      .filter(({ oldest_ready_seconds: seconds }) => (seconds ?? 0) >= longestReadySeconds)
      .map(({ task, oldest_ready_seconds: seconds }) => words.lateJobs(task, lasting(seconds ?? 0))),
    ...(overdue >= longestOverdueSeconds ? [words.lateWebhooks(lasting(overdue))] : []),
    ...(webhooks?.events_set_aside ? [words.setAside(webhooks.events_set_aside)] : []),
    ...(builds?.sandbox?.problem ? [words.sandbox(builds.sandbox.problem)] : []),
  ];
}
