import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  contentAt,
  history,
  inProject,
  listPaths,
  newPlace,
  type Place,
  putFile,
  writeFile,
} from '../../testing/samples/sample-files.ts';
import { startNode } from '../../testing/service/node.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const writers = 64;
let node: Awaited<ReturnType<typeof startNode>>;
beforeAll(async () => {
  const limits = { BOTTEGA_RATE_LIMIT_FREE: '1000000/1000000' };
  node = await startNode({ connection: service.database.connection, settings: limits });
});
afterAll(() => node.close());

const atOnce = <Result>(task: (number: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: writers }, (_, number) => task(number)));

/** Expects that every commit has the one before as its only parent. */
async function expectLinear(place: Place, commits: number): Promise<void> {
  const { data, pagination } = await history(place);
  expect(pagination.total).toBe(commits);
  expect(data.map(({ parents }) => parents)).toEqual([...data.slice(1).map(({ sha }) => [sha]), []]);
}

describe('64 parallel writers', () => {
  test('to different paths all succeed, each with a commit', async () => {
    const place = await newPlace(service);
    const answers = await atOnce((n) => putFile(place, { path: `/d${n % 8}/${n}.txt`, content: `${n}\n` }));
    expect(answers.map(({ status }) => status)).toEqual(Array(writers).fill(201));
    expect(await listPaths(place, '?recursive=true&type=file')).toHaveLength(writers);
    await expectLinear(place, writers);
  });

  test('to one path each make a commit; one of them creates the file, and one is the last', async () => {
    const place = await newPlace(service);
    const answers = await atOnce((n) => putFile(place, { path: '/same', content: `${n}` }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(writers - 1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const [last] = (await history(place)).data;
    const winner = answers.findIndex(({ body }) => body.commit_sha === last?.sha);
    expect(await contentAt(place, '/same')).toBe(String(winner));
    await expectLinear(place, writers);
  });

  test('with the same If-Match have one winner, and the others get 412', async () => {
    const place = await newPlace(service);
    const { checksum } = await writeFile(place, '/contended', 'begin');
    const headers = { 'if-match': `"${checksum}"` };
    const answers = await atOnce((n) => putFile(place, { path: '/contended', content: `${n}` }, headers));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(writers - 1);
    expect(await contentAt(place, '/contended')).toBe(String(answers.findIndex(({ status }) => status === 200)));
    await expectLinear(place, 2);
  });

  test('with If-None-Match: * create the file once', async () => {
    const place = await newPlace(service);
    const answers = await atOnce((n) => putFile(place, { path: '/first', content: `${n}` }, { 'if-none-match': '*' }));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(writers - 1).fill(412)]);
  });

  test('that move, delete and write the same file leave one consistent state and cause no 5xx', async () => {
    const place = await newPlace(service);
    const { id } = await writeFile(place, '/a/x', 'x');
    const answers = await atOnce((n) => {
      if (n % 3 === 0) return inProject(place, 'POST', `/files/${id}/move`, { json: { path: `/m${n}/x` } });
      if (n === 32) return inProject(place, 'DELETE', `/files/${id}`);
      return inProject(place, 'PUT', '/files', { json: { path: `/m${n % 4}/x`, content: `${n}` } });
    });
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const paths = await listPaths(place, '?recursive=true&type=file');
    expect(await listPaths(place, '?recursive=true&type=file&ref=main')).toEqual(paths);
  });
});

describe('two nodes on one database', () => {
  test('lose no update of a project and keep its history linear', async () => {
    const place = await newPlace(service);
    const onOther = { ...place, service: { ...service, url: node.url } };
    const answers = await atOnce((n) =>
      putFile(n % 2 === 0 ? place : onOther, { path: `/${n % 16}/${n}.txt`, content: `${n}` }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(writers).fill(201));
    for (const one of [place, onOther]) {
      expect(await listPaths(one, '?recursive=true&type=file')).toHaveLength(writers);
      expect(await listPaths(one, '?recursive=true&type=file&ref=main')).toHaveLength(writers);
    }
    await expectLinear(place, writers);
  });

  test('count every increment of one file that is read and written with If-Match', async () => {
    const place = await newPlace(service);
    await writeFile(place, '/counter', '0');
    const increment = async (one: Place): Promise<void> => {
      for (;;) {
        const [file] = (await inProject<{ data: { id: string }[] }>(one, 'GET', '/files')).body.data;
        const read = await inProject(one, 'GET', `/files/${file?.id}/content`);
        const next = { path: '/counter', content: String(Number(read.text) + 1) };
        const { status } = await putFile(one, next, { 'if-match': read.headers.get('etag') ?? '' });
        if (status === 200) return;
        expect(status).toBe(412);
      }
    };
    const onOther = { ...place, service: { ...service, url: node.url } };
    await Promise.all(Array.from({ length: 12 }, (_, n) => increment(n % 2 === 0 ? place : onOther)));
    expect(await contentAt(place, '/counter')).toBe('12');
    await expectLinear(place, 13);
  });
});
