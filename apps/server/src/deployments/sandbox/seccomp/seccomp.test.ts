import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Architecture, compileFilter, containerProfileFile } from './compile.ts';
import { containerProfile } from './container-profile.ts';

/** Interprets a filter as the kernel would, for the few instructions that filters use. */
function judge(filter: Buffer, architecture: number, number: number, args: number[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value, 16 + 8 * index);
  let word = 0;
  for (let at = 0; ; at++) {
    const [code, yes, no] = [filter.readUInt16LE(at * 8), filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)];
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) word = data.readUInt32LE(value);
    else if (code === 0x15) at += word === value ? yes : no;
    else if (code === 0x35) at += word >= value ? yes : no;
    else if (code === 0x45) at += (word & value) !== 0 ? yes : no;
    else throw new Error(`an unknown instruction: ${code}`);
  }
}

const [allow, kill] = [0x7fff_0000, 0x8000_0000];
const fails = (error: number) => 0x0005_0000 + error;
const machines: [Architecture, number, Record<string, number>][] = [
  [
    'x64',
    0xc000_003e,
    {
      ...{
        read: 0,
        ioctl: 16,
        socket: 41,
        clone: 56,
        ptrace: 101,
        personality: 135,
        mount: 165,
        keyctl: 250,
        unshare: 272,
      },
      ...{
        io_setup: 206,
        io_submit: 209,
        io_getevents: 208,
        io_pgetevents: 333,
        io_uring_setup: 425,
        io_uring_enter: 426,
      },
    },
  ],
  [
    'arm64',
    0xc000_00b7,
    {
      ...{
        read: 63,
        ioctl: 29,
        socket: 198,
        clone: 220,
        ptrace: 117,
        personality: 92,
        mount: 40,
        keyctl: 219,
        unshare: 97,
      },
      ...{ io_setup: 0, io_submit: 2, io_getevents: 4, io_pgetevents: 292, io_uring_setup: 425, io_uring_enter: 426 },
    },
  ],
];

describe.each(machines)('the filter for %s', (architecture, machine, calls) => {
  const filter = compileFilter(architecture);
  const ask = (name: string, ...args: number[]) => judge(filter, machine, calls[name] ?? -1, args);

  test('is shipped exactly as it is compiled', async () => {
    const shipped = await readFile(new URL(`./${architecture}.bpf`, import.meta.url));
    expect(shipped.equals(filter), 'run node apps/server/src/deployments/sandbox/seccomp/compile.ts').toBe(true);
  });

  test('allows the calls of ordinary programs', () => {
    expect(ask('read')).toBe(allow);
    expect(ask('clone', 0x11)).toBe(allow);
    expect(ask('ioctl', 1, 0x5401)).toBe(allow);
    expect(['1', '2', '10', '16'].map((family) => ask('socket', Number(family), 1, 0))).toEqual(Array(4).fill(allow));
    expect(ask('personality', 0xffff_ffff)).toBe(allow);
  });

  test.each(['ptrace', 'mount', 'keyctl', 'unshare'])('refuses %s', (name) => {
    expect(ask(name)).toBe(fails(1));
  });

  test.each(['io_submit', 'io_getevents', 'io_pgetevents', 'io_uring_setup', 'io_uring_enter'])(
    'refuses %s, which would let the kernel work for a program outside of its calls',
    (name) => expect(ask(name)).toBe(fails(1)),
  );

  test('tells programs that there is no asynchronous I/O, so that they do without it', () => {
    expect(ask('io_setup')).toBe(fails(38));
  });

  test('refuses new namespaces, terminal input injection, and socket families that no build needs', () => {
    for (const flag of [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000]) {
      expect(ask('clone', flag + 0x11)).toBe(fails(1));
    }
    expect(ask('ioctl', 0, 0x5412)).toBe(fails(1));
    for (const family of [17, 38, 40]) expect(ask('socket', family, 2, 0)).toBe(fails(97));
    expect(ask('socket', 16, 3, 9)).toBe(fails(97));
    expect(ask('personality', 0x40000)).toBe(fails(1));
  });

  test('treats unlisted calls as unknown, and kills a program with calls of another architecture', () => {
    for (const number of [435, 460, 0x4000_0000, 0xffff_ffff]) expect(judge(filter, machine, number)).toBe(fails(38));
    expect(judge(filter, 0x4000_0003, 1)).toBe(kill);
  });
});

test('the profile for a container around the service is shipped exactly as it is generated', async () => {
  const shipped = JSON.parse(await readFile(containerProfileFile, 'utf8'));
  expect(shipped, 'run node apps/server/src/deployments/sandbox/seccomp/compile.ts').toEqual(containerProfile());
});
