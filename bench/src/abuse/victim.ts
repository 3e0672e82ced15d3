/** Somebody else, who reads a project a hundred times a second and wants to be answered as always. */

export type Watched = { p99: number; answered: number; serverErrors: number; unanswered: number };

const everyMs = 10;
/** Whoever waits longer has gone. It counts as the slowest answer there is. */
const patienceMs = 10_000;

type Request = { url: string; headers: Record<string, string> };

/** Not one after the other: who comes while the service does not answer waits, too. */
export function watch({ url, headers }: Request): { end(): Promise<Watched> } {
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

  const timer = setInterval(() => {
    const asked: Promise<void> = ask().finally(() => underWay.delete(asked));
    underWay.add(asked);
  }, everyMs);

  return {
    async end() {
      clearInterval(timer);
      await Promise.all(underWay);
      const sorted = latencies.toSorted((one, other) => one - other);
      const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
      return { p99, answered: sorted.length - unanswered, serverErrors, unanswered };
    },
  };
}
