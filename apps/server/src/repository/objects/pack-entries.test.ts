import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns, fuzzSeed } from '../../testing/runner/thoroughness.ts';
import { hashObject, type ObjectType } from './objects.ts';
import { applyDelta, DamagedPack, readEntryHeader } from './pack-entries.ts';
import { bitsFor, bucketOf, decodeEntries, encodeEntries, gitIndex, positionIn, readGitIndex } from './pack-index.ts';

/** Lets git pack files that resemble each other, and returns the pack and its index. */
function packOf(contents: string[]): { pack: Buffer; index: Buffer } {
  const directory = mkdtempSync(join(tmpdir(), 'bottega-pack-'));
  const git = (args: string[], input = '') => execFileSync('git', ['-C', directory, ...args], { input }).toString();
  try {
    git(['init', '-q', '--bare']);
    const shas = contents.map((content) => git(['hash-object', '-w', '--stdin'], content).trim());
    const lines = [...new Set(shas)].map((sha) => `${sha} file\n`).join('');
    git(['pack-objects', '-q', '--delta-base-offset', 'new'], lines);
    const file = (end: string) =>
      readFileSync(join(directory, readdirSync(directory).find((name) => name.endsWith(end)) ?? ''));
    return { pack: file('.pack'), index: file('.idx') };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function read(pack: Buffer, offset: number): { type: ObjectType; content: Buffer } {
  const { type, size, distance, start } = readEntryHeader(pack, offset);
  const content = inflateSync(pack.subarray(start));
  expect(content.length).toBe(size);
  if (type !== null) return { type, content };
  const base = read(pack, offset - distance);
  return { type: base.type, content: applyDelta(base.content, content) };
}

const line = fc.constantFrom('one', 'two', 'a longer line that git can copy from another file', 'x'.repeat(300), 'ü');
const file = fc.array(line, { maxLength: 120 }).map((lines) => lines.join('\n'));

test('every object in a pack written by git is read correctly', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 12 }), (files) => {
      const { pack, index } = packOf([...files, ...files.map((text, number) => `${text}\n${number}`)]);
      const placed = readGitIndex(index);
      for (const { sha, offset } of placed) {
        const { type, content } = read(pack, offset);
        expect(hashObject(type, content)).toEqual(sha);
      }
      const entries = placed.map((one, seq) => ({ ...one, type: 3, size: 1, seq, isGone: seq % 3 === 0 }));
      expect([...decodeEntries(encodeEntries(entries))]).toEqual(entries);
      expect(gitIndex(entries, pack.subarray(-20))).toEqual(index);
    }),
    { seed: fuzzSeed, numRuns: fuzzRuns(60, 4) },
  );
});

test('a delta that is truncated, or reaches beyond its base or its result, is refused', () => {
  const base = Buffer.from('0123456789');
  const delta = (...bytes: number[]) => Buffer.from(bytes);
  expect(applyDelta(base, delta(10, 5, 0x91, 2, 3, 2, 97, 98)).toString()).toBe('234ab');
  const bad = [
    delta(),
    delta(9, 1, 1, 97),
    delta(10, 5, 0x91, 2, 3),
    delta(10, 5, 0x91, 8, 5),
    delta(10, 5, 6, 97, 97, 97, 97, 97, 97),
    delta(10, 5, 5, 97),
    delta(10, 5, 0),
    delta(10, 5, 0x80),
    delta(10, 0xff),
  ];
  for (const one of bad) expect(() => applyDelta(base, one), one.toString('hex')).toThrow(DamagedPack);
});

test('an entry that has an unknown type or is truncated is refused', () => {
  for (const bytes of [[0x00], [0x50], [0x70, 1, 2], [0x9f], [0x60, 0x80]]) {
    expect(() => readEntryHeader(Buffer.from(bytes), 0), String(bytes)).toThrow(DamagedPack);
  }
});

test('an id is found in its bucket, and in no other', () => {
  const shas = Array.from({ length: 1_000 }, (_, n) => hashObject('blob', Buffer.from(String(n)))).sort(Buffer.compare);
  const bits = bitsFor(shas.length);
  const buckets = Map.groupBy(shas, (sha) => bucketOf(sha, bits));
  expect(buckets.size).toBe(8);
  for (const [bucket, own] of buckets) {
    const entries = encodeEntries(
      own.map((sha) => ({ sha, type: 3, size: 0, offset: 0, crc: 0, seq: 1, isGone: false })),
    );
    const found = shas.filter((sha) => positionIn(entries, sha) >= 0);
    expect(found, String(bucket)).toEqual(own);
  }
});
