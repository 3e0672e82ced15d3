import { beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../testing/clients/http-client.ts';
import { issueAccessToken } from '../../testing/samples/oauth-tokens.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
let user: TestUser;
let projectId: string;
beforeAll(async () => {
  user = await service.createUser();
  projectId = (await createProject(service, user)).id;
});

const ask = (what: 'upload' | 'receive', password: string) =>
  call('GET', `${service.url}/git/${projectId}.git/info/refs?service=git-${what}-pack`, {
    headers: { authorization: `Basic ${Buffer.from(`x-token:${password}`).toString('base64')}` },
  });

describe('an access token as the password of git', () => {
  test('clones with read:files, and pushes with write:files', async () => {
    const reader = await issueAccessToken(service, user.id, ['read:files']);
    expect((await ask('upload', reader.token)).status).toBe(200);
    expect((await ask('receive', reader.token)).status).toBe(403);
    const writer = await issueAccessToken(service, user.id, ['write:files']);
    expect((await ask('upload', writer.token)).status).toBe(200);
    expect((await ask('receive', writer.token)).status).toBe(200);
  });

  test('is refused with another scope, and after the user’s consent is gone', async () => {
    const other = await issueAccessToken(service, user.id, ['write:projects']);
    expect((await ask('upload', other.token)).status).toBe(403);
    const gone = await issueAccessToken(service, user.id, ['read:files']);
    await service.db.deleteFrom('oauth_consents').where('app_id', '=', gone.appId).execute();
    const answer = await ask('upload', gone.token);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="bottega", charset="UTF-8"',
    ]);
  });
});
