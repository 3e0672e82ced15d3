import { parseArgs } from 'node:util';
import type { Alone } from './cluster/alone.ts';
import { aloneFaults, type Fault, faults } from './injection/index.ts';

export type Options = {
  mode: 'each' | 'mixed' | 'soak' | 'limits' | 'list';
  among: readonly Fault[];
  /** Faults of a single machine. */
  amongAlone: readonly Fault<Alone>[];
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

/** Throws an error with a message for the user. */
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
    ...chosen(values.only?.split(',')),
    seed: numberIn(values.seed, '--seed') ?? Math.floor(Date.now() / 1_000) % 1_000_000,
    minutes: numberIn(values.soak ?? values.minutes, values.soak ? '--soak' : '--minutes') ?? 10,
    report: values.report,
    logs: values.logs,
  };
}

function chosen(beginnings: readonly string[] = ['']): Pick<Options, 'among' | 'amongAlone'> {
  const isMeant = ({ name }: { name: string }) => beginnings.some((beginning) => name.startsWith(beginning));
  const all = [...faults, ...aloneFaults];
  const unknown = beginnings.find((beginning) => !all.some(({ name }) => name.startsWith(beginning)));
  if (unknown !== undefined) throw new Error(`no fault begins with ${unknown}; --list names them`);
  return { among: faults.filter(isMeant), amongAlone: aloneFaults.filter(isMeant) };
}

function numberIn(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number >= 0)) throw new Error(`${name} takes a number`);
  return number;
}
