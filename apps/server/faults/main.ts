import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAlone } from './cluster/alone.ts';
import { type Site, startCluster } from './cluster/index.ts';
import { aloneFaults, faults } from './injection/index.ts';
import { measureLimits } from './limits.ts';
import { type Options, parseOptions, usage } from './options.ts';
import { complaintsOf, lineOf, pageOf } from './report.ts';
import { type Outcome, planOf, type RunOptions, run } from './run.ts';
import { soak } from './soak.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const start = () => startCluster({ nodes: 3, workers: 2 });
const peaceMs = 4_000;

// However this process ends, the cluster ends with it: it listens for the exit.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

/** Null if the run did not complete; the reason was printed. */
async function tryRun<Where extends Site>(
  options: Omit<RunOptions<Where>, 'peaceMs' | 'say'>,
): Promise<Outcome | null> {
  try {
    const outcome = await run({ ...options, peaceMs, say });
    for (const line of [lineOf(outcome), ...complaintsOf(outcome.audit.findings)]) say(line);
    return outcome;
  } catch (error) {
    say(`BROKEN: ${options.name} did not come to its end: ${(error as Error).stack}`);
    return null;
  }
}

async function injectEach({ among, amongAlone, seed, logs }: Options): Promise<(Outcome | null)[]> {
  const outcomes: (Outcome | null)[] = [];
  for (const fault of among) {
    say(`${fault.name} …`);
    outcomes.push(await tryRun({ name: fault.name, seed, plan: [fault], start, logs: logs && join(logs, fault.name) }));
  }
  for (const fault of amongAlone) {
    say(`${fault.name} …`);
    const where = { start: startAlone, logs: logs && join(logs, fault.name) };
    outcomes.push(await tryRun({ name: fault.name, seed, plan: [fault], ...where }));
  }
  return outcomes;
}

async function injectMixed({ among, seed, minutes, logs }: Options): Promise<(Outcome | null)[]> {
  const plan = planOf(seed, minutes, among);
  say(`seed ${seed}: ${plan.map(({ name }) => name).join(', ')}`);
  return [await tryRun({ name: `mixed, seed ${seed}`, seed, plan, start, logs })];
}

async function main(options: Options): Promise<boolean> {
  if (options.mode === 'list') {
    for (const { name, seconds } of [...faults, ...aloneFaults]) say(seconds > 0 ? `${name} (${seconds} s)` : name);
    return true;
  }
  if (options.mode === 'limits') return measureLimits({ say });
  if (options.mode === 'soak') return soak({ ...options, say });
  const outcomes = await (options.mode === 'each' ? injectEach(options) : injectMixed(options));
  const whole = outcomes.filter((one) => one !== null);
  if (options.report) await writeFile(options.report, pageOf(whole));
  const isWell = whole.length === outcomes.length && whole.every(({ audit }) => audit.findings.length === 0);
  say(isWell ? 'Nothing was lost, invented or left behind.' : 'Something is broken; see above.');
  return isWell;
}

let options: Options | undefined;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${usage}`);
}
process.exit(options && (await main(options)) ? 0 : 1);
