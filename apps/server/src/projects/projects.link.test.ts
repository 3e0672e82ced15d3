import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../testing/clients/http-client.ts';
import { createProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';

const service = useTestService();

let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
  for (const name of ['a b', 'a+b', 'a&b', 'a b c', 'other']) await createProject(service, user, { name });
});

/** The targets of the Link header by their relation. */
async function linksOf(path: string): Promise<Record<string, string>> {
  const { status, headers, text } = await call('GET', `${service.url}${path}`, { token: user.key });
  expect(status, text).toBe(200);
  const links = headers.get('link')?.split(', ') ?? [];
  return Object.fromEntries(
    links.map((link) => {
      const [, target = '', relation = ''] = /^<([^<>]*)>; rel="(\w+)"$/.exec(link) ?? [];
      return [relation, target];
    }),
  );
}

describe.each(['/v1', '/api/v1'])('the Link header below %s', (mount) => {
  const list = `${mount}/projects`;

  test('on the first page links to the next and the last', async () => {
    const target = `${service.url}${list}`;
    expect(await linksOf(`${list}?limit=2`)).toEqual({
      first: `${target}?limit=2&page=1`,
      next: `${target}?limit=2&page=2`,
      last: `${target}?limit=2&page=3`,
    });
  });

  test('in the middle links to the previous and the next page', async () => {
    const target = `${service.url}${list}`;
    expect(await linksOf(`${list}?page=2&limit=2`)).toEqual({
      first: `${target}?page=1&limit=2`,
      prev: `${target}?page=1&limit=2`,
      next: `${target}?page=3&limit=2`,
      last: `${target}?page=3&limit=2`,
    });
  });

  test('on the last page has no next, and on the only page neither prev nor next', async () => {
    expect(Object.keys(await linksOf(`${list}?limit=2&page=3`))).toEqual(['first', 'prev', 'last']);
    expect(Object.keys(await linksOf(list))).toEqual(['first', 'last']);
  });

  test('beyond the end links back to the last page with projects', async () => {
    const links = await linksOf(`${list}?limit=2&page=900`);
    expect(Object.keys(links)).toEqual(['first', 'prev', 'last']);
    expect(links.prev).toBe(links.last);
    expect(new URL(links.last ?? '').searchParams.get('page')).toBe('3');
  });

  test('for an empty list names one page', async () => {
    const links = await linksOf(`${list}?search=nothing`);
    expect(Object.keys(links)).toEqual(['first', 'last']);
    expect(new URL(links.last ?? '').searchParams.get('page')).toBe('1');
  });

  test('keeps every other query value, including unknown and repeated ones', async () => {
    const query = 'search=a%20b&sort=name&order=asc&status=active&limit=1&mine=1&mine=%E2%82%AC%26';
    const { next = '' } = await linksOf(`${list}?${query}`);
    const kept = new URL(next).searchParams;
    expect(kept.get('search')).toBe('a b');
    expect(kept.get('sort')).toBe('name');
    expect(kept.get('order')).toBe('asc');
    expect(kept.get('status')).toBe('active');
    expect(kept.getAll('mine')).toEqual(['1', '€&']);
    expect(kept.getAll('page')).toEqual(['2']);
  });

  test.each(['a%20b', 'a%2Bb', 'a%26b'])('links to the same search for %s', async (search) => {
    const { first = '' } = await linksOf(`${list}?search=${search}`);
    const followed = await call<{ data: { name: string }[] }>('GET', first, { token: user.key });
    const direct = await call<{ data: { name: string }[] }>('GET', `${service.url}${list}?search=${search}`, {
      token: user.key,
    });
    expect(followed.body).toEqual(direct.body);
    expect(followed.body.data.length).toBeGreaterThan(0);
  });

  test('can be followed through every project once', async () => {
    const names: string[] = [];
    for (let url: string | undefined = `${list}?limit=2&sort=name&order=asc`; url; ) {
      const path: string = url.replace(service.url, '');
      const { body } = await call<{ data: { name: string }[] }>('GET', `${service.url}${path}`, { token: user.key });
      names.push(...body.data.map((project) => project.name));
      url = (await linksOf(path)).next;
    }
    expect(names).toEqual(['a b', 'a b c', 'a&b', 'a+b', 'other']);
  });
});
