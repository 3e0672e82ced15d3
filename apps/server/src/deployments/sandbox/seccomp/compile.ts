import { readFileSync, writeFileSync } from 'node:fs';
import { containerProfile } from './container-profile.ts';
import { type Action, allowed, errors, type Rule, rules } from './profile.ts';

/**
 * `node compile.ts` generates the shipped filters in bwrap's format: classic BPF programs over the number and the
 * arguments of a system call. It also writes the profile for a container around the service.
 */

export const containerProfileFile = new URL('../../../../../../deploy/seccomp.json', import.meta.url);

export type Architecture = 'x64' | 'arm64';

const audited = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const column = { x64: 0, arm64: 1 };
const [loadWord, ifEqual, ifAtLeast, ifAnyBit, giveBack] = [0x20, 0x15, 0x35, 0x45, 0x06];
const [allow, failWith, killProcess] = [0x7fff_0000, 0x0005_0000, 0x8000_0000];
const place = { number: 0, architecture: 4, argument: (index: number) => 16 + 8 * index };

type Instruction = { code: number; yes: number; no: number; value: number };

export function compileFilter(architecture: Architecture): Buffer {
  const program = [
    load(place.architecture),
    { code: ifEqual, yes: 1, no: 0, value: audited[architecture] },
    // Calls in another ABI of the same machine are refused, because their numbers have other meanings.
    result(killProcess),
    load(place.number),
    ...choose(rangesOf(architecture)),
  ];
  return Buffer.concat(program.map(encode));
}

type Range = { from: number; verdict: Action | Rule };

/**
 * The results for all numbers, as ranges. A call that is not in the list fails as it does on a kernel without that
 * call.
 */
function rangesOf(architecture: Architecture): Range[] {
  const table = new URL('./syscalls.json', import.meta.url);
  const numbers: Record<string, (number | null)[]> = JSON.parse(readFileSync(table, 'utf8'));
  for (const name of [...allowed, ...Object.keys(rules)]) {
    if (!numbers[name]) throw new Error(`${name} is no system call`);
  }
  const verdicts = new Map<number, Action | Rule>();
  for (const [name, both] of Object.entries(numbers)) {
    const number = both[column[architecture]] ?? null;
    if (number !== null) verdicts.set(number, rules[name] ?? (allowed.includes(name) ? 'allow' : 'EPERM'));
  }
  const ranges: Range[] = [];
  for (let from = 0; from <= Math.max(...verdicts.keys()) + 1; from++) {
    const verdict = verdicts.get(from) ?? 'ENOSYS';
    if (ranges.at(-1)?.verdict !== verdict) ranges.push({ from, verdict });
  }
  return ranges;
}

/** Compares the number in a binary tree, about seven times, however many ranges there are. */
function choose(ranges: Range[]): Instruction[] {
  const [only] = ranges;
  if (only && ranges.length === 1) return judge(only.verdict);
  const half = Math.ceil(ranges.length / 2);
  const lower = choose(ranges.slice(0, half));
  return [jump(ifAtLeast, ranges[half]?.from ?? 0, lower.length), ...lower, ...choose(ranges.slice(half))];
}

function judge(verdict: Action | Rule): Instruction[] {
  if (verdict === 'allow') return [result(allow)];
  if (typeof verdict === 'string') return [result(failWith | errors[verdict])];
  const [matched, otherwise] = [judge(verdict.matched), judge(verdict.otherwise)];
  const { argument, when } = verdict;
  const tests =
    'anyBitOf' in when
      ? [jump(ifAnyBit, when.anyBitOf, otherwise.length)]
      : when.oneOf.map((one, index) => jump(ifEqual, one, when.oneOf.length - 1 - index + otherwise.length));
  return [load(place.argument(argument)), ...tests, ...otherwise, ...matched];
}

const load = (offset: number): Instruction => ({ code: loadWord, yes: 0, no: 0, value: offset });
const result = (value: number): Instruction => ({ code: giveBack, yes: 0, no: 0, value });
const jump = (code: number, value: number, yes: number): Instruction => ({ code, yes, no: 0, value });

function encode({ code, yes, no, value }: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  // Throws if a jump is too far for one byte.
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}

if (import.meta.main) {
  for (const architecture of ['x64', 'arm64'] as const) {
    writeFileSync(new URL(`./${architecture}.bpf`, import.meta.url), compileFilter(architecture));
  }
  writeFileSync(containerProfileFile, `${JSON.stringify(containerProfile(), null, 2)}\n`);
}
