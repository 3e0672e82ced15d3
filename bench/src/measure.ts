import autocannon from 'autocannon';

export type Target = {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  json?: boolean;
  /** By default, as many as the server answers. */
  perSecond?: number;
  /** Called for each request, if every request differs. */
  requests?: () => { method: 'PUT'; path: string; headers: Record<string, string>; body: string };
};

export type Measured = { ours: Figures; other: Figures; ratio: number };
/** The text is set if the figure is not a rate. */
export type Figures = { perSecond: number; p50: number; p99: number; text?: string };

const fewConnections = 16;
const rounds = 3;
/** Time for V8 to compile hot code; before that, the side with more code looks slower than it is. */
const warmUpSeconds = 5;

/** Alternates the two, so that other work of the machine affects both; the median round of each counts. */
export async function measure(
  ours: Target,
  other: Target,
  seconds: number,
  connections = fewConnections,
): Promise<Measured> {
  const figures: { ours: Figures[]; other: Figures[] } = { ours: [], other: [] };
  await load(ours, warmUpSeconds, connections);
  await load(other, warmUpSeconds, connections);
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await load(ours, seconds, connections));
    figures.other.push(await load(other, seconds, connections));
  }
  const perSecond = (round: Figures) => round.perSecond;
  const middle = { ours: medianOf(figures.ours, perSecond), other: medianOf(figures.other, perSecond) };
  const ratio = middle.ours.perSecond / middle.other.perSecond;
  process.stdout.write(`  ${ours.url.replace(/^.*\/v1/, '')}: ${ratio.toFixed(2)}\n`);
  return { ...middle, ratio };
}

/** The median round by this value. */
export function medianOf<Round>(rounds: Round[], value: (round: Round) => number): Round {
  const sorted = rounds.toSorted((one, other) => value(one) - value(other));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

export const median = (values: number[]): number => medianOf(values, (value) => value);

/** Figures for repeated times of the same work. */
export function figuresOf(milliseconds: number[]): Figures {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { perSecond: 1000 / at(0.5), p50: at(0.5), p99: at(0.99) };
}

export async function load(
  { url, method = 'GET', headers, body, json, perSecond, requests }: Target,
  seconds: number,
  connections: number,
): Promise<Figures & { answered: number }> {
  const result = await autocannon({
    url,
    method,
    connections,
    duration: seconds,
    headers: { ...headers, ...(json && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
    ...(perSecond !== undefined && { overallRate: perSecond }),
    ...(requests && { requests: [{ setupRequest: (request: object) => ({ ...request, ...requests() }) }] }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${method} ${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  }
  const { requests: sent, latency } = result;
  return { perSecond: sent.average, p50: latency.p50, p99: latency.p99, answered: sent.total };
}
