import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import {
  contentAt,
  history,
  idAt,
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
  beforeAll(async () => {
    place = await placeOn(branch);
  });

  const failed = { status: 412, code: 'CONFLICT' } as const;
  const other = `"sha256:${'0'.repeat(64)}"`;
  let number = 0;

  async function sample() {
    const path = `/sample-${++number}`;
    const file = await writeFile(place, path, 'old');
    return { path, id: file.id, etag: `"${file.checksum}"` };
  }

  describe('If-Match', () => {
    test('allows a write only if the file has this content', async () => {
      const { path, etag } = await sample();
      const before = (await history(place)).pagination.total;
      expectError(await putFile(place, { path, content: 'new' }, { 'if-match': other }), failed);
      expect(await contentAt(place, path)).toBe('old');
      expect((await history(place)).pagination.total).toBe(before);
      const answer = await putFile(place, { path, content: 'new' }, { 'if-match': `${other}, ${etag}` });
      expect(answer.status).toBe(200);
      expectError(await putFile(place, { path, content: 'newer' }, { 'if-match': etag }), failed);
      const next = answer.headers.get('etag') ?? '';
      expect((await putFile(place, { path, content: 'newer' }, { 'if-match': next })).status).toBe(200);
    });

    test('with * requires that the file exists', async () => {
      const { path } = await sample();
      expect((await putFile(place, { path, content: 'new' }, { 'if-match': '*' })).status).toBe(200);
      expectError(await putFile(place, { path: '/absent', content: 'x' }, { 'if-match': '*' }), failed);
      expectError(await putFile(place, { path: '/absent', content: 'x' }, { 'if-match': other }), failed);
      expect(await idAt(place, '/absent')).toBe('nothing at /absent');
    });

    test('applies to DELETE', async () => {
      const { path, id, etag } = await sample();
      expectError(await inProject(place, 'DELETE', `/files/${id}`, { headers: { 'if-match': other } }), failed);
      expect(await idAt(place, path)).toBe(id);
      expect((await inProject(place, 'DELETE', `/files/${id}`, { headers: { 'if-match': etag } })).status).toBe(204);
      expect(await idAt(place, path)).toBe(`nothing at ${path}`);
    });

    test('applies to a move', async () => {
      const { path, id, etag } = await sample();
      const move = (headers: Record<string, string>) =>
        inProject(place, 'POST', `/files/${id}/move`, { json: { path: `${path}-moved` }, headers });
      expectError(await move({ 'if-match': other }), failed);
      expect(await idAt(place, path)).toBe(id);
      expect((await move({ 'if-match': etag })).status).toBe(200);
    });
  });

  describe('If-None-Match', () => {
    test('with * allows creating a file but not replacing it', async () => {
      const { path } = await sample();
      expectError(await putFile(place, { path, content: 'new' }, { 'if-none-match': '*' }), failed);
      expect(await contentAt(place, path)).toBe('old');
      expect((await putFile(place, { path: `${path}-b`, content: 'x' }, { 'if-none-match': '*' })).status).toBe(201);
    });

    test('with an ETag refuses a change to that content, and to no other', async () => {
      const { path, id, etag } = await sample();
      expectError(await putFile(place, { path, content: 'new' }, { 'if-none-match': etag }), failed);
      expectError(await inProject(place, 'DELETE', `/files/${id}`, { headers: { 'if-none-match': etag } }), failed);
      const headers = { 'if-none-match': etag };
      expectError(
        await inProject(place, 'POST', `/files/${id}/move`, { json: { path: '/elsewhere' }, headers }),
        failed,
      );
      expect((await putFile(place, { path, content: 'new' }, { 'if-none-match': other })).status).toBe(200);
    });

    test('applies to raw bytes too', async () => {
      const { path } = await sample();
      const answer = await inProject(place, 'PUT', `/files?path=${path}`, {
        body: 'new',
        headers: { 'content-type': 'text/plain', 'if-none-match': '*' },
      });
      expectError(answer, failed);
    });
  });

  describe('the expected_checksum of a change', () => {
    test('allows a commit only if all files match; otherwise nothing is written, and the answer names the path', async () => {
      const [one, two] = [await sample(), await sample()];
      const commit = (checksum: string) =>
        inProject(place, 'POST', '/commits', {
          json: {
            changes: [
              { action: 'update', path: one.path, content: 'new', expected_checksum: one.etag.slice(1, -1) },
              { action: 'delete', path: two.path, expected_checksum: checksum },
            ],
          },
        });
      const refused = await commit(other.slice(1, -1));
      expectError(refused, failed);
      expect(refused.body.error).toMatchObject({ details: { path: two.path } });
      expect(await contentAt(place, one.path)).toBe('old');
      expect((await commit(two.etag.slice(1, -1))).status).toBe(201);
      expect(await contentAt(place, one.path)).toBe('new');
      expectError(await commit(two.etag.slice(1, -1)), failed);
      expectError(await commit('sha256:none'), { status: 422, code: 'VALIDATION_ERROR' });
    });
  });
});
