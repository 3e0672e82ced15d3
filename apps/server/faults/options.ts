import { parseArgs } from 'node:util';
import { type Fault, faults } from './injection/index.ts';

export type Options = {
  mode: 'each' | 'mixed' | 'soak' | 'limits' | 'list';
  among: readonly Fault[];
  seed: number;
  minutes: number;
  report: string | undefined;
  logs: string | undefined;
};

export const usage = `npm run test:faults                              every fault by itself, one after the other
npm run test:faults -- --only redis,owner-killed   only those whose names begin so
npm run test:faults -- --minutes 10                a mix of them; --seed 7 repeats one
npm run test:faults -- --limits                    the budget of requests over nodes, and without Redis
npm run test:faults -- --soak 30                   minutes of load without faults: memory, descriptors, tables, times
npm run test:faults -- --list                      their names
  --report FILE   writes a table          --logs DIR   keeps what the programs of the cluster have written
`;

/** Throws with words for whoever typed it. */
export function parseOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      ...{ only: { type: 'string' }, seed: { type: 'string' }, minutes: { type: 'string' }, soak: { type: 'string' } },
      ...{ report: { type: 'string' }, logs: { type: 'string' } },
      ...{ list: { type: 'boolean' }, limits: { type: 'boolean' } },
    },
  });
  const isMixed = values.seed !== undefined || values.minutes !== undefined;
  return {
    mode: values.list ? 'list' : values.limits ? 'limits' : values.soak ? 'soak' : isMixed ? 'mixed' : 'each',
    among: chosen(values.only),
    seed: numberIn(values.seed, '--seed') ?? Math.floor(Date.now() / 1_000) % 1_000_000,
    minutes: numberIn(values.soak ?? values.minutes, values.soak ? '--soak' : '--minutes') ?? 10,
    report: values.report,
    logs: values.logs,
  };
}

function chosen(only: string | undefined): readonly Fault[] {
  if (only === undefined) return faults;
  return only.split(',').flatMap((beginning) => {
    const found = faults.filter(({ name }) => name.startsWith(beginning));
    if (found.length === 0) throw new Error(`no fault begins with ${beginning}; --list names them`);
    return found;
  });
}

function numberIn(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number >= 0)) throw new Error(`${name} takes a number`);
  return number;
}
