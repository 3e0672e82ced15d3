import type { SearchResults } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  inProject,
  newBranchPlace,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();

const placeOn = (branch: string): Promise<Place & { user: TestUser }> =>
  branch === 'main' ? newPlace(service) : newBranchPlace(service, branch);

describe.each(['main', 'feature'])('on %s', (branch) => {
  let place: Place;
  let readme: string;
  beforeAll(async () => {
    place = await placeOn(branch);
    readme = (await writeFile(place, '/README.md', '# Title\n\nThe needle is here.\nno\nNEEDLE and needle\n')).id;
    await writeFile(place, '/src/deep/code.ts', `const x = 1; // ${'.'.repeat(300)} needle\r\n`);
    await putFile(place, {
      path: '/bytes.bin',
      content: Buffer.from('needle\0').toString('base64'),
      encoding: 'base64',
    });
    await writeFile(place, '/turkish.txt', 'İİİ needle\n');
    await writeFile(place, '/signs.txt', 'a.*b [x] \\d %_ $1\n');
  });

  async function search(query: string, wanted: Place = place): Promise<SearchResults> {
    const answer = await inProject<SearchResults>(wanted, 'GET', `/search?${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  describe('a search', () => {
    test('finds lines in order of path, ignoring case, with line and column from 1, but not in binary files', async () => {
      const { data, truncated } = await search('q=NeeDLe');
      expect(data.map(({ path, line, column }) => [path, line, column])).toEqual([
        ['/README.md', 3, 5],
        ['/README.md', 5, 1],
        ['/src/deep/code.ts', 1, 318],
        ['/turkish.txt', 1, 5],
      ]);
      expect(data[0]).toMatchObject({ file_id: readme, excerpt: 'The needle is here.' });
      expect(data[2]?.excerpt).toMatch(/^\.+ needle$/);
      expect(truncated).toBe(false);
    });

    test('says if there are more results', async () => {
      const { data, truncated } = await search('q=needle&limit=2');
      expect([data.length, truncated]).toEqual([2, true]);
      expect((await search('q=needle&limit=4')).truncated).toBe(false);
    });

    test.each(['a.*b', '[x]', '\\d', '%_', '$1'])('finds %s literally', async (text) => {
      expect((await search(`q=${encodeURIComponent(text)}`)).data.map(({ path }) => path)).toEqual(['/signs.txt']);
    });

    test('returns an empty list if nothing matches', async () => {
      expect(await search('q=haystack')).toEqual({ data: [], truncated: false });
    });

    test('covers more files than are read at a time', async () => {
      const many = await placeOn(branch);
      const changes = Array.from({ length: 250 }, (_, n) => ({
        action: 'create',
        path: `/${n}.txt`,
        content: `n${n}n`,
      }));
      await inProject(many, 'POST', '/commits', { json: { changes } });
      expect((await search('q=n249n', many)).data).toMatchObject([{ path: '/249.txt', line: 1, column: 1 }]);
      expect((await search('q=n&limit=100', many)).data).toHaveLength(100);
    });

    test('finds a line once anywhere in a long text, even if the text is a single line', async () => {
      const long = await placeOn(branch);
      const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n} ${'.'.repeat(n % 50)}`);
      await writeFile(long, '/lines.txt', lines.join('\n'));
      await writeFile(long, '/one-line.txt', `${'a'.repeat(32_767)}needle${'a'.repeat(70_000)}needle`);
      for (const n of [0, 950, 1_999, 4_999]) {
        const { data } = await search(`q=LINE%20${n}%20`, long);
        expect(data).toEqual([expect.objectContaining({ path: '/lines.txt', line: n + 1, column: 1 })]);
      }
      const { data } = await search('q=needle', long);
      expect(data.map(({ path, line, column }) => [path, line, column])).toEqual([['/one-line.txt', 1, 32_768]]);
      expect((await search('q=line&limit=100', long)).data.map(({ line }) => line)).toEqual(
        Array.from({ length: 100 }, (_, n) => n + 1),
      );
    });

    test('says if a file was too large to be searched', async () => {
      const large = await placeOn(branch);
      await writeFile(large, '/large.txt', `${'x'.repeat(1_048_576)}needle`);
      expect(await search('q=needle', large)).toEqual({ data: [], truncated: true });
    });

    test.each(['', 'q=', 'q=x&limit=0', `q=${'x'.repeat(201)}`, 'q=%00'])('with ?%s is a 400', async (query) => {
      expectError(await inProject(place, 'GET', `/search?${query}`), { status: 400, code: 'VALIDATION_ERROR' });
    });
  });
});
