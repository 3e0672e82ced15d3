import { parentPort, workerData } from 'node:worker_threads';
import type { Target, Watched } from './victim.ts';

const everyMs = 10;
/** Longest wait, in milliseconds. A longer one counts as the slowest answer. */
const patienceMs = 10_000;

const { url, headers } = workerData as Target;
const latencies: number[] = [];
const underWay = new Set<Promise<void>>();
let [serverErrors, unanswered] = [0, 0];

async function ask(): Promise<void> {
  const begun = performance.now();
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(patienceMs) });
    await answer.arrayBuffer();
    if (answer.status >= 500) serverErrors++;
  } catch {
    unanswered++;
  }
  latencies.push(performance.now() - begun);
}

// The first requests open connections and compile code, so they are not measured.
for (let count = 0; count < 20; count++) await ask();
latencies.length = 0;
parentPort?.postMessage('ready');

// Sends at a fixed rate: requests while the service does not answer wait too.
const timer = setInterval(() => {
  const asked: Promise<void> = ask().finally(() => underWay.delete(asked));
  underWay.add(asked);
}, everyMs);

parentPort?.once('message', async () => {
  clearInterval(timer);
  await Promise.all(underWay);
  const watched: Watched = { latencies, serverErrors, unanswered };
  parentPort?.postMessage(watched);
});
