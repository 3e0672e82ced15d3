import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { outputEntries } from './output-entries.ts';
import { takeBytes } from './take-bytes.ts';
import { tarEntries } from './tar-entries.ts';

const directory = mkdtempSync(join(tmpdir(), 'bottega-tar-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Yields chunks whose size matches no part of the archive. */
const streamOf = (archive: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < archive.length; at += 777) yield archive.subarray(at, at + 777);
    })(),
  );

async function read(archive: Buffer): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const entry of outputEntries(tarEntries(takeBytes(streamOf(archive))))) {
    if (entry.kind === 'link') found[entry.path] = `-> ${entry.target}`;
    else if (entry.kind === 'copy') found[entry.path] = `= ${entry.of}`;
    else if (entry.kind === 'directory') found[entry.path] = '/';
    else {
      let text = '';
      for await (const piece of entry.content()) text += piece.toString();
      found[entry.path] = text;
    }
  }
  return found;
}

type Fields = { name?: string; size?: number | string; type?: string; target?: string; content?: string };

/** An entry of an archive with any false field. */
function entry({ name = 'x', size, type = '0', target = '', content = '' }: Fields): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644', 100);
  header.write(typeof size === 'string' ? size : (size ?? content.length).toString(8).padStart(11, '0'), 124, 'latin1');
  header.write('        ', 148);
  header.write(type, 156);
  header.write(target, 157);
  header.write('ustar\0', 257);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  padded.write(content);
  return Buffer.concat([header, padded]);
}
const end = Buffer.alloc(1024);

describe('an archive', () => {
  test.each(['gnu', 'pax', 'ustar', 'v7'])('of the format %s is read as it was written', async (format) => {
    const root = mkdtempSync(join(directory, 'tree-'));
    const long = `${'deep/'.repeat(format === 'v7' ? 2 : 30)}file`;
    const files = { a: 'one', empty: '', 'ü/b': 'x'.repeat(5_000), [long]: 'far' };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    symlinkSync('../a', join(root, 'ü/link'));
    execFileSync('ln', ['a', 'same'], { cwd: root });
    const found = await read(
      execFileSync('tar', [`--format=${format}`, '--sort=name', '-cf', '-', '.'], { cwd: root }),
    );
    expect(found).toMatchObject({ '/ü/link': '-> ../a', '/same': '= /a', '/ü': '/' });
    for (const [path, content] of Object.entries(files)) expect(found[`/${path}`]).toBe(content);
  });

  test('leaves out devices, pipes and names that are not text', async () => {
    const odd = entry({ name: 'x' });
    odd[0] = 0xff;
    odd.write('        ', 148);
    odd.write(
      `${odd
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    const others = ['3', '4', '6', 'Z'].map((type) => entry({ name: type, type }));
    expect(await read(Buffer.concat([...others, odd, entry({ name: 'y', content: 'kept' }), end]))).toEqual({
      '/y': 'kept',
    });
  });

  test.each([
    ['that is cut off in a header', entry({ content: 'abc' }).subarray(0, 300), 'too early'],
    ['that is cut off in a file', entry({ content: 'abc', size: 5_000 }), 'too early'],
    ['that does not end', entry({ content: 'abc' }), 'too early'],
    ['with a wrong checksum', Buffer.concat([Buffer.alloc(512, 1), end]), 'checksum'],
    ['with a size below nothing', entry({ size: '-0000000001' }), 'is not a number'],
    ['with a size beyond all numbers', entry({ size: `\x80${'\x7f'.repeat(11)}` }), 'is not a number'],
    ['with a long name without end', entry({ type: 'L', size: 2 ** 33 - 1 }), 'too long'],
    ['with an extended header without end', entry({ type: 'x', size: 2 ** 33 - 1 }), 'too long'],
    ['with an extended header that is none', entry({ type: 'x', content: '9999999 path=x\n-1 ' }), 'not valid'],
    ['with an absolute path', entry({ name: '/etc/passwd' }), 'leads out'],
    ['with a path that leads up', entry({ name: './a/../../b' }), 'leads out'],
    ['with a path that is nested too deep', entry({ type: 'L', content: 'a/'.repeat(101) }), null],
  ])('%s is refused', async (_what, archive, reason) => {
    const refused = read(reason === null ? Buffer.concat([archive, entry({}), end]) : archive);
    await expect(refused).rejects.toThrow(reason ?? 'nested more than 100 levels deep');
  });
});
