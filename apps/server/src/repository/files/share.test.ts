import type { ShareLink } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { issueAccessToken } from '../../testing/samples/oauth-tokens.ts';
import { inProject, newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { addCollaborator, onProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { shareSigner } from './share-links.ts';

const service = useTestService();
let place: Place & { user: TestUser };
beforeAll(async () => {
  place = await newPlace(service);
});

async function shared(path: string, json: unknown = {}): Promise<{ link: ShareLink; id: string }> {
  const { id } = await writeFile(place, path, 'shared\n');
  const answer = await inProject<ShareLink>(place, 'POST', `/files/${id}/share`, { json });
  expect(answer.status, answer.text).toBe(201);
  return { link: answer.body, id };
}

const secondsUntil = (time: string) => (Date.parse(time) - Date.now()) / 1000;
const notFound = { status: 404, code: 'NOT_FOUND' } as const;

describe('a share link', () => {
  test('shows the file to anyone for a day, as safely as its content', async () => {
    const { link, id } = await shared('/page.html');
    expect(link).toMatchObject({ file_id: id, path: '/page.html' });
    expect(link.url.startsWith(`${service.url}/shared/prj_`)).toBe(true);
    expect(secondsUntil(link.expires_at)).toBeGreaterThan(86_390);
    expect(secondsUntil(link.expires_at)).toBeLessThanOrEqual(86_400);
    const answer = await call('GET', link.url);
    expect([answer.status, answer.text]).toEqual([200, 'shared\n']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/sandbox/),
    });
    expect((await call('GET', `${link.url}?download=true`)).headers.get('content-disposition')).toMatch(/^attachment/);
    expect((await call('GET', link.url, { headers: { range: 'bytes=0-1' } })).text).toBe('sh');
  });

  test('lasts for the time that was asked for, within its limits', async () => {
    expect(secondsUntil((await shared('/hour', { expires_in: 3600 })).link.expires_at)).toBeLessThanOrEqual(3600);
    const { id } = await shared('/limits');
    for (const expires_in of [59, 2_592_001, 1.5, 'day']) {
      const answer = await inProject(place, 'POST', `/files/${id}/share`, { json: { expires_in } });
      expectError(answer, { status: 422, code: 'VALIDATION_ERROR', field: 'expires_in' });
    }
    expect((await inProject(place, 'POST', `/files/${id}/share`)).status).toBe(201);
  });

  test('is a 404 while the owner of its project is suspended', async () => {
    const { link } = await shared('/suspended');
    const suspend = (suspended_at: Date | null) =>
      service.db.updateTable('users').set({ suspended_at }).where('id', '=', place.user.id).execute();
    await suspend(new Date());
    expectError(await call('GET', link.url), notFound);
    await suspend(null);
    expect((await call('GET', link.url)).status).toBe(200);
  });

  test('follows changes and moves of its file, and is a 404 once the file or its project is deleted', async () => {
    const { link, id } = await shared('/followed');
    await writeFile(place, '/followed', 'newer');
    await inProject(place, 'POST', `/files/${id}/move`, { json: { path: '/elsewhere' } });
    expect((await call('GET', link.url)).text).toBe('newer');
    await inProject(place, 'DELETE', `/files/${id}`);
    expectError(await call('GET', link.url), notFound);
    const other = await newPlace(service);
    const file = await writeFile(other, '/x');
    const answer = await inProject<ShareLink>(other, 'POST', `/files/${file.id}/share`, { json: {} });
    await onProject(service, other.user, other.projectId, ['DELETE']);
    expectError(await call('GET', answer.body.url), notFound);
  });

  test('ends when the user or the app that created it loses the right to share', async () => {
    const { id } = await shared('/by-another');
    const editor = await service.createUser();
    await addCollaborator(service, place.projectId, editor, { role: 'editor', permissions: ['read', 'write'] });
    const share = (key: string) =>
      call<ShareLink>('POST', `${service.url}/v1/projects/${place.projectId}/files/${id}/share`, {
        token: key,
        json: {},
      });
    const { body: link } = await share(editor.key);
    expect((await call('GET', link.url)).status).toBe(200);
    const { token, appId } = await issueAccessToken(service, place.user.id, ['write:files']);
    const { body: byApp } = await share(token);
    expect((await call('GET', byApp.url)).status).toBe(200);
    const own = await shared('/by-another');

    await service.db.deleteFrom('collaborators').where('user_id', '=', editor.id).execute();
    await call('DELETE', `${service.url}/v1/user/authorized-apps/${appId}`, { token: place.user.key });
    expectError(await call('GET', link.url), notFound);
    expectError(await call('GET', byApp.url), notFound);
    expect((await call('GET', own.link.url)).status).toBe(200);
  });

  test('that is expired, forged, shortened or signed with another key is a 404', async () => {
    const { link, id } = await shared('/forged');
    const token = link.url.split('/').at(-1) ?? '';
    const [project, , sharer, , expiry, signature] = token.split('.');
    const signer = shareSigner(service.secretKey);
    const about = { projectId: place.projectId, fileId: id, sharedBy: place.user.id, grantId: null };
    const soon = new Date(Date.now() + 60_000);
    expect((await call('GET', `${service.url}/shared/${signer.sign({ ...about, expiresAt: soon })}`)).status).toBe(200);
    const other = await writeFile(place, '/other');
    const tokens = [
      signer.sign({ ...about, expiresAt: new Date(Date.now() - 1000) }),
      shareSigner(Buffer.alloc(32)).sign({ ...about, expiresAt: soon }),
      `${project}.${other.id}.${sharer}..${expiry}.${signature}`,
      `${project}.${id}.${sharer}..${Number(expiry) + 1}.${signature}`,
      token.slice(0, -2),
      'x',
      '...',
    ];
    for (const one of tokens) expectError(await call('GET', `${service.url}/shared/${one}`), notFound);
  });
});
