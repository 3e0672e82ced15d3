import type { User } from '@bottega/contract';
import { expect, test } from 'vitest';
import { expectError, expectRateHeaders } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();

const patch = (user: TestUser, avatar_url: string | null) =>
  call<User>('PATCH', `${service.url}/v1/user`, { token: user.key, json: { avatar_url } });

test('the generated picture is served to anyone, as an image that can be cached forever and cannot run scripts', async () => {
  const user = await service.createUser();
  const { body } = await call<User>('GET', `${service.url}/v1/user`, { token: user.key });
  const picture = await call('GET', body.avatar_url);
  expect(picture.status).toBe(200);
  expect(picture.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/);
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
  expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
  expect(picture.headers.get('x-request-id')).toMatch(/^req_/);
  expectRateHeaders(picture.headers);
});

test('the picture depends on the id alone: always the same, and different for each user, even for an unknown id', async () => {
  const [one, other] = [await service.createUser(), await service.createUser()];
  const picture = async (id: string) => (await call('GET', `${service.url}/avatars/${id}.svg`)).text;
  expect(await picture(one.id)).toBe(await picture(one.id));
  expect(await picture(one.id)).not.toBe(await picture(other.id));
  expect(await picture('usr_00000000000000000000000000')).toMatch(/^<svg /);
});

test.each([
  'nobody.svg',
  'usr_00000000000000000000000000.png',
  'usr_00000000000000000000000000',
  '..%2fx.svg',
  '%00.svg',
])('the address /avatars/%s is a 404', async (file) => {
  expectError(await call('GET', `${service.url}/avatars/${file}`), { status: 404, code: 'NOT_FOUND' });
});

test('an address of the user’s own replaces the generated picture, and null restores it', async () => {
  const user = await service.createUser();
  const own = 'https://pictures.example.com/ada.png?size=64';
  expect((await patch(user, own)).body.avatar_url).toBe(own);
  const stored = await service.db.selectFrom('users').select('avatar_url').where('id', '=', user.id).executeTakeFirst();
  expect(stored?.avatar_url).toBe(own);
  expect((await patch(user, null)).body.avatar_url).toBe(`${service.url}/avatars/${user.id}.svg`);
});
