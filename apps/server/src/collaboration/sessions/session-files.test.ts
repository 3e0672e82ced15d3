import type { Session, SessionFile } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, malformed, missing } from '../../testing/clients/expect-error.ts';
import { newPlace, type Place, writeFile } from '../../testing/samples/sample-files.ts';
import { inviteTokenOf, joinSession, onSessions, startSession } from '../../testing/samples/sample-sessions.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ role: 'api' });
const hidden = { status: 404, code: 'INVALID_SESSION' } as const;

type Hosted = { place: Place & { user: TestUser }; session: Session; guest: TestUser };

/** A session of a project with files, and a guest who came by its link. */
async function hosted(): Promise<Hosted> {
  const place = await newPlace(service);
  for (const path of ['/a.txt', '/src/one.ts', '/src/deep/two.ts']) await writeFile(place, path, 'four');
  const session = await startSession(service, place.user, { workspace_id: place.projectId });
  const guest = await service.createUser();
  await joinSession(service, guest, session, { byLink: true });
  return { place, session, guest };
}

const filesOf = (user: TestUser, { session_id: id }: Session, query = '') =>
  onSessions<{ files: SessionFile[] }>(service, user, ['GET', `/${id}/files${query}`]);

describe('the files of a session', () => {
  let here: Hosted;
  beforeAll(async () => {
    here = await hosted();
  });

  test('are listed for its guests with path, type and size, and nothing more', async () => {
    const { status, body } = await filesOf(here.guest, here.session, '?recursive=true');
    expect(status).toBe(200);
    expect(body).toEqual({
      files: [
        { path: '/a.txt', type: 'file', size: 4 },
        { path: '/src', type: 'directory' },
        { path: '/src/deep', type: 'directory' },
        { path: '/src/deep/two.ts', type: 'file', size: 4 },
        { path: '/src/one.ts', type: 'file', size: 4 },
      ],
    });
    expect((await filesOf(here.place.user, here.session, '?recursive=true')).body).toEqual(body);
  });

  test('are listed by directory, recursively and by type, like those of a project', async () => {
    const paths = async (query: string) =>
      (await filesOf(here.guest, here.session, query)).body.files.map(({ path }) => path);
    expect(await paths('')).toEqual(['/a.txt', '/src']);
    expect(await paths('?path=/src')).toEqual(['/src/deep', '/src/one.ts']);
    expect(await paths('?path=/src&recursive=true&type=file')).toEqual(['/src/deep/two.ts', '/src/one.ts']);
    expectError(await filesOf(here.guest, here.session, '?path=/nothing'), missing);
    expectError(await filesOf(here.guest, here.session, '?path=/../etc'), malformed);
  });

  test('are hidden from strangers, and from guests of another session', async () => {
    expectError(await filesOf(await service.createUser(), here.session), hidden);
    expectError(await filesOf((await hosted()).guest, here.session), hidden);
  });

  test('need the scope to read sessions', async () => {
    const { key } = await service.createKey(here.guest.id, { scopes: ['read:files'] });
    const answer = await filesOf({ ...here.guest, key }, here.session);
    expectError(answer, { status: 403, code: 'AUTHORIZATION_ERROR' });
  });
});

test('a guest whose link was replaced before they joined sees no files; a guest who had joined stays', async () => {
  const { place, session, guest } = await hosted();
  const late = await service.createUser();
  await onSessions(service, place.user, ['POST', `/${session.session_id}/invite/rotate`]);
  const json = { invite_token: inviteTokenOf(session) };
  expectError(await onSessions(service, late, ['POST', `/${session.session_id}/join`, json]), hidden);
  expectError(await filesOf(late, session), hidden);
  expect((await filesOf(guest, session)).status).toBe(200);
});

test('a guest who was removed, or has left, no longer sees any files', async () => {
  const { place, session, guest } = await hosted();
  const other = await service.createUser();
  await joinSession(service, other, session, { byLink: true });
  await onSessions(service, place.user, ['DELETE', `/${session.session_id}/participants/${guest.id}`]);
  await onSessions(service, other, ['POST', `/${session.session_id}/leave`]);
  expectError(await filesOf(guest, session), hidden);
  expectError(await filesOf(other, session), hidden);
});

test('after the session has ended, nobody sees its files through it', async () => {
  const { place, session, guest } = await hosted();
  await onSessions(service, place.user, ['DELETE', `/${session.session_id}`]);
  expectError(await filesOf(guest, session), hidden);
  expectError(await filesOf(place.user, session), hidden);
});
