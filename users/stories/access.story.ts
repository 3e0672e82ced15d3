import { expect, test } from 'vitest';
import { agentByDiscovery, redirectUri } from '../../apps/server/src/mcp/agent.fixture.ts';
import { pageBrowser } from '../../apps/server/src/testing/clients/page-browser.ts';
import { waitFor } from '../../apps/server/src/testing/parts/wait-for.ts';
import { authorize } from '../../apps/server/src/testing/samples/oauth-flow.ts';
import {
  authorizeUrl,
  callback,
  exchange,
  postForm,
  registerApp,
} from '../../apps/server/src/testing/samples/oauth-tokens.ts';
import { newAgent } from '../agent.ts';
import { clientOf, installation, mailTo, newPerson, signIn } from '../people.ts';
import { projectWith } from '../projects.ts';

test('an app is allowed on a page, acts for its user by its token, and no longer once that is taken back', async () => {
  const [maker, user] = [await newPerson(), await newPerson()];
  const service = installation();
  const app = await registerApp(service, maker);
  const { back, asked } = await authorize(pageBrowser(service.url), user, authorizeUrl(service, app));
  expect(asked).toEqual(['sign-in', 'consent']);
  const tokens = await exchange(service, app, { code: back.searchParams.get('code') ?? '', redirect_uri: callback });
  const client = clientOf(String(tokens.body.access_token));
  await expect(client.projects.list()).resolves.toMatchObject({ pagination: { total: 0 } });
  const [allowed] = (await user.client.authorizedApps.list()).data;
  await user.client.authorizedApps.revoke(allowed?.app.id ?? '');
  await expect(client.projects.list()).rejects.toMatchObject({ status: 401 });
});

test('a device shows a code, its user allows it in a browser, and it gets its tokens', async () => {
  const user = await newPerson();
  const { url } = installation();
  const begun = (await postForm(`${url}/oauth/device`, { client_id: 'btg', scope: 'read:projects' })).body;
  const browser = pageBrowser(url);
  let page = await browser.open(`${url}/device`);
  page = await browser.press(page, 'sign-in', { email: user.email, password: user.password });
  page = await browser.press(page, 'continue', { user_code: String(begun.user_code) });
  await browser.press(page, 'allow');
  const token = await waitFor('it has its token', async () => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const fields = { client_id: 'btg', device_code: String(begun.device_code), grant_type };
    const { body } = await postForm(`${url}/oauth/token`, fields);
    return body.access_token;
  });
  await expect(clientOf(String(token)).projects.list()).resolves.toMatchObject({ pagination: { total: 0 } });
});

test('an agent that knows nothing but the address is allowed by its user, and reads and writes as them', async () => {
  const user = await newPerson();
  const service = installation();
  const id = await projectWith(user.client, { '/a.txt': 'one\n' });
  const { client_id: clientId } = await registerApp(service, user, { type: 'public', redirect_uris: [redirectUri] });
  const browser = pageBrowser(service.url);
  const agent = await agentByDiscovery(`${service.url}/mcp?access=write`, { browser, user, clientId });
  expect((await agent.call('read_file', { project_id: id, path: '/a.txt' })).text).toContain('one');
  await agent.close();
});

test('an agent with a key finds a project, searches it and writes a file as a commit', async () => {
  const user = await newPerson();
  const id = await projectWith(user.client, { '/a.txt': 'a needle\n' });
  const agent = await newAgent(user.key);
  expect(await agent.call('search_files', { project_id: id, q: 'needle' })).toContain('/a.txt');
  await agent.call('write_file', { project_id: id, path: '/b.txt', content: 'by an agent\n' });
  await agent.close();
  const commits = await user.client.commits.list(id);
  expect(commits.data.length).toBe(2);
});

test('whoever has lost the password gets a link by mail, and the new password is the only one', async () => {
  const user = await newPerson();
  const { url } = installation();
  const post = (path: string, body: unknown) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(body),
    });
  expect((await post('/v1/auth/password/forgot', { email: user.email })).status).toBe(202);
  const { text } = await mailTo(user.email, 'Set a new password');
  const token = /#token=([\w-]+)/.exec(text)?.[1];
  expect((await post('/v1/auth/password/reset', { token, password: 'another walk by the sea' })).status).toBe(204);
  await expect(signIn(user)).rejects.toThrow('401');
  await signIn({ ...user, password: 'another walk by the sea' });
});

test('signing out everywhere else ends every other session at once, and keeps this one', async () => {
  const user = await newPerson();
  const [here, ...elsewhere] = [await signIn(user), await signIn(user), await signIn(user)];
  await here.ask('DELETE', '/v1/auth/sessions');
  for (const session of elsewhere) expect(await session.status('/v1/user')).toBe(401);
  expect(await here.status('/v1/user')).toBe(200);
});
