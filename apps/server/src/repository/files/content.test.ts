import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
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
  let id: string;
  let etag: string;
  beforeAll(async () => {
    place = await placeOn(branch);
    const file = await writeFile(place, '/digits.txt', '0123456789');
    [id, etag] = [file.id, `"${file.checksum}"`];
  });

  const read = (headers: Record<string, string> = {}, query = '') =>
    inProject(place, 'GET', `/files/${id}/content${query}`, { headers });

  describe('the content of a file', () => {
    const word = Buffer.from('schön 🎨 \u0000\r\n');
    test.each([
      ['a megabyte that cannot be compressed', Buffer.concat(Array(16).fill(randomBytes(65_536)))],
      ['a text with a byte order mark', Buffer.from('\ufeffbegin')],
      ['a text of many alphabets and a NUL', word],
      ['a long text of those', Buffer.alloc(100_000, word)],
      ['a text that ends in the middle of a letter', Buffer.from('schön').subarray(0, 4)],
      ['bytes that are no text', Buffer.from(Array.from({ length: 256 }, (_, n) => n))],
      ['nothing', Buffer.alloc(0)],
    ])('of %s is returned byte by byte, the first time and the next', async (what, body) => {
      const headers = { 'content-type': 'application/octet-stream' };
      const path = `/files?path=/${encodeURIComponent(what)}.txt`;
      const written = await inProject(place, 'PUT', path, { body: new Uint8Array(body), headers });
      expect(written.status).toBe(201);
      const url = `${service.url}/v1/projects/${place.projectId}/files/${written.body.id}/content?branch=${branch}`;
      for (const _ of ['first', 'next']) {
        const answer = await fetch(url, { headers: { authorization: `Bearer ${place.user.key}` } });
        expect(answer.headers.get('content-length')).toBe(`${body.length}`);
        expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
      }
    });

    test('is returned to each of many parallel readers who may see it, and to no one else', async () => {
      const places = await Promise.all([1, 2, 3].map(() => newPlace(service)));
      const files = await Promise.all(places.map((own, index) => writeFile(own, '/own.txt', `of ${index}`)));
      const asked = Array.from({ length: 60 }, (_, count) => ({ reader: count % 3, owner: Math.floor(count / 3) % 3 }));
      const answers = await Promise.all(
        asked.map(({ reader, owner }) =>
          call('GET', `${service.url}/v1/projects/${places[owner]?.projectId}/files/${files[owner]?.id}/content`, {
            token: places[reader]?.user.key ?? '',
          }),
        ),
      );
      for (const [index, { reader, owner }] of asked.entries()) {
        const answer = answers[index];
        if (reader === owner) expect([answer?.status, answer?.text]).toEqual([200, `of ${owner}`]);
        else expect(answer?.status).toBe(404);
      }
    });

    test('that was just read remains hidden from strangers, and shows its latest version', async () => {
      const own = await placeOn(branch);
      const file = await writeFile(own, '/read.txt', 'first');
      const path = `/files/${file.id}/content`;
      const stranger = { ...own, user: await service.createUser() };
      expect((await inProject(own, 'GET', path)).text).toBe('first');
      expectError(await inProject(stranger, 'GET', path), { status: 404, code: 'NOT_FOUND' });
      await writeFile(own, '/read.txt', 'second');
      expect((await inProject(own, 'GET', path)).text).toBe('second');
      await call('DELETE', `${service.url}/v1/projects/${own.projectId}`, { token: own.user.key });
      expectError(await inProject(own, 'GET', path), { status: 404, code: 'NOT_FOUND' });
    });

    test('is returned as stored, with its type and its checksum, and cannot run scripts in a browser', async () => {
      const answer = await read();
      expect([answer.status, answer.text]).toEqual([200, '0123456789']);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-length': '10',
        etag,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
        'content-disposition': `inline; filename="digits.txt"; filename*=UTF-8''digits.txt`,
        'cache-control': 'private, no-cache',
        'accept-ranges': 'bytes',
        'last-modified': expect.stringMatching(/GMT$/),
      });
    });

    test.each([
      ['/page.html', 'text/html; charset=utf-8'],
      ['/data.json', 'application/json; charset=utf-8'],
      ['/drawing.svg', 'image/svg+xml; charset=utf-8'],
      ['/picture.png', 'image/png'],
      ['/unknown', 'text/plain; charset=utf-8'],
    ])('of %s has the type %s', async (path, type) => {
      const file = await writeFile(place, path, '{}');
      const { headers } = await inProject(place, 'GET', `/files/${file.id}/content`);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-security-policy')).toMatch(/sandbox/);
    });

    test('is returned byte by byte if it is binary', async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const file = await putFile(place, { path: '/all.bin', content: bytes.toString('base64'), encoding: 'base64' });
      const response = await fetch(
        `${service.url}/v1/projects/${place.projectId}/files/${file.body.id}/content?branch=${branch}`,
        {
          headers: { authorization: `Bearer ${place.user.key}` },
        },
      );
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
    });

    test('is an attachment with ?download=true, and its name cannot break the header', async () => {
      const file = await writeFile(place, '/naïve "q" (1).txt');
      const { headers } = await inProject(place, 'GET', `/files/${file.id}/content?download=true`);
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="na_ve _q_ (1).txt"; filename*=UTF-8''na%C3%AFve%20%22q%22%20%281%29.txt`,
      );
    });

    test('is a 304 without a body if If-None-Match contains its ETag', async () => {
      for (const header of [etag, '*', `W/${etag}`, `"x", ${etag}`]) {
        const answer = await read({ 'if-none-match': header });
        expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
      }
      expect((await read({ 'if-none-match': '"x"' })).status).toBe(200);
    });

    test('is a 404 for an unknown file or a file of another project', async () => {
      const elsewhere = await placeOn(branch);
      const file = await writeFile({ ...elsewhere }, '/x');
      for (const one of ['fil_00000000000000000000000000', 'x', file.id]) {
        expectError(await inProject(place, 'GET', `/files/${one}/content`), { status: 404, code: 'NOT_FOUND' });
      }
    });

    test('has the same headers and no body for HEAD', async () => {
      const url = `${service.url}/v1/projects/${place.projectId}/files/${id}/content?branch=${branch}`;
      const answer = await call('HEAD', url, { token: place.user.key });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([200, '', etag]);
    });
  });

  describe('a range', () => {
    test.each([
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=4-', '456789', 'bytes 4-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=8-100', '89', 'bytes 8-9/10'],
      ['bytes=-100', '0123456789', 'bytes 0-9/10'],
      ['bytes=9-9', '9', 'bytes 9-9/10'],
    ])('of %s is answered with 206', async (range, text, contentRange) => {
      const answer = await read({ range });
      expect([answer.status, answer.text, answer.headers.get('content-range')]).toEqual([206, text, contentRange]);
      expect(answer.headers.get('content-length')).toBe(String(text.length));
      expect(answer.headers.get('etag')).toBe(etag);
    });

    test.each(['bytes=10-', 'bytes=10-12', 'bytes=-0', 'bytes=99999999999999999999-'])(
      'of %s is answered with 416',
      async (range) => {
        const answer = await read({ range });
        expectError(answer, { status: 416, code: 'VALIDATION_ERROR' });
        expect(answer.headers.get('content-range')).toBe('bytes */10');
      },
    );

    test.each(['bytes=5-4', 'bytes=a-b', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2', 'bytes 0-1'])(
      'of %s is ignored, and the whole content is returned',
      async (range) => {
        const answer = await read({ range });
        expect([answer.status, answer.text]).toEqual([200, '0123456789']);
      },
    );

    test('applies with a matching If-Range, and is ignored with any other', async () => {
      expect((await read({ range: 'bytes=0-0', 'if-range': etag })).status).toBe(206);
      for (const other of ['"x"', `W/${etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
        expect((await read({ range: 'bytes=0-0', 'if-range': other })).status).toBe(200);
      }
    });

    test('is ignored if If-None-Match matches', async () => {
      expect((await read({ range: 'bytes=0-0', 'if-none-match': etag })).status).toBe(304);
    });
  });
});
