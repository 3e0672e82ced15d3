import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import { signedInBrowser, testPassword } from '../../testing/clients/browser.ts';
import { pageBrowser } from '../../testing/clients/page-browser.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { authorize } from '../../testing/samples/oauth-flow.ts';
import { authorizeUrl, registerApp } from '../../testing/samples/oauth-tokens.ts';
import { asking, readChecksums, readRepository } from './asking.fixture.ts';
import type { Known } from './known.ts';
import { pushHistory } from './push-history.fixture.ts';

type Filling = { url: string; adminKey: string };
type Ask = ReturnType<typeof asking>;
type Ada = Known['ada'];

const issuer = 'https://ci.example.com';

/**
 * Creates some of everything that a service stores, by public interfaces only, so that any version can be filled. Every
 * account has the same password.
 */
export async function fillService({ url, adminKey }: Filling): Promise<Known> {
  const admin = asking(url, adminKey);
  const ada = await signUp(url, admin, 'ada');
  const bob = await withSecondFactor(url, await signUp(url, admin, 'bob'));
  await admin('PATCH', `/admin/users/${ada.id}`, { plan: 'enterprise' });
  const ask = asking(url, ada.key);
  const hooked = await withWebhook(ask);
  const site = await fillSite(url, ada, ask);
  await ask('POST', `/projects/${site}/collaborators`, { email: 'carol@example.com', role: 'viewer' });
  const { id: offer } = await ask('POST', `/projects/${site}/collaborators`, { email: bob.email, role: 'editor' });
  await asking(url, bob.key)('POST', `/projects/${site}/collaborators/${offer}/accept`);
  const fromTemplate = await ask('POST', '/projects', { name: 'Begun', template: 'static-site' });
  const unversioned = await ask('POST', '/projects', { name: 'Plain', settings: { version_control: false } });
  await ask('PUT', `/projects/${unversioned.id}/files`, { path: '/plain.txt', content: 'no commit\n' });
  const template = await ask('POST', '/templates', {
    project_id: site,
    name: 'Ours',
    category: 'web',
    language: 'HTML',
  });
  const gone = await ask('POST', '/projects', { name: 'Gone' });
  await ask('DELETE', `/projects/${gone.id}`);
  const session = await withSession(ask, site);
  const deployments = [await deploy(ask, site, 'production'), await deploy(ask, site, 'preview')];
  return {
    ada,
    bob,
    service: { issuer, secret: (await ask('POST', '/user/services', { issuer })).secret },
    app: await withGrant(url, ada),
    site: { id: site, ...(await readRepository(url, ada.key, site)), deployments },
    invited: 'carol@example.com',
    made_from_template: { id: fromTemplate.id, files: await readChecksums(url, ada.key, fromTemplate.id) },
    without_history: { id: unversioned.id, files: await readChecksums(url, ada.key, unversioned.id) },
    deleted_project: gone.id,
    template: { id: template.id, files: Object.keys(await readChecksums(url, ada.key, site)).length },
    webhook: await hooked.settled(),
    session,
    audit: await auditOf(ask),
  };
}

async function signUp(url: string, admin: Ask, name: string): Promise<Ada> {
  const account = { email: `${name}@example.com`, name, password: testPassword };
  await asking(url)('POST', '/auth/sign-up', account);
  const { data } = await admin('GET', `/admin/users?search=${account.email}`);
  const { id } = data[0];
  await admin('PATCH', `/admin/users/${id}`, { email_verified: true });
  const browser = await signedInBrowser(url, account);
  const { body } = await browser.ask<{ key: string }>('POST', '/user/api-keys', { json: { name: 'kept', scopes: [] } });
  return { id, email: account.email, password: testPassword, key: body.key };
}

async function withSecondFactor(url: string, account: Ada): Promise<Known['bob']> {
  const browser = await signedInBrowser(url, account);
  const { body } = await browser.ask<{ secret: string }>('POST', '/auth/second-factor', {
    json: { password: account.password },
  });
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate();
  const confirmed = await browser.ask<{ recovery_codes: string[] }>('POST', '/auth/second-factor/confirm', {
    json: { code },
  });
  const [recovery_code = ''] = confirmed.body.recovery_codes;
  return { ...account, totp_secret: body.secret, recovery_code };
}

/** A project with history from REST and git: branches, a merge, tags, links, executables, a submodule. */
async function fillSite(url: string, ada: Ada, ask: Ask): Promise<string> {
  const { id } = await ask('POST', '/projects', { name: 'Site', description: 'Kept', settings: { public: false } });
  const changes = [
    { action: 'create', path: '/index.html', content: '<!doctype html><title>Kept</title><p>Kept\n' },
    { action: 'create', path: '/docs/größe und länge.md', content: 'Grüße\n' },
    { action: 'create', path: '/bytes.bin', content: everyByte.toString('base64'), encoding: 'base64' },
    { action: 'create', path: '/old.txt', content: 'old\n' },
  ];
  await ask('POST', `/projects/${id}/commits`, { message: 'Begin', changes });
  await ask('PUT', `/projects/${id}/files`, { path: '/docs/notes.md', content: 'one\n' });
  await ask('PUT', `/projects/${id}/files`, { path: '/docs/notes.md', content: 'one\ntwo\n' });
  const move = { action: 'move', path: '/old.txt', new_path: '/archive/old.txt' };
  await ask('POST', `/projects/${id}/commits`, { message: 'Move', changes: [move] });
  await ask('POST', `/projects/${id}/branches`, { name: 'by-rest', from: 'main' });
  await pushHistory(`${url.replace('://', `://ada:${ada.key}@`)}/git/${id}.git`);
  return id;
}

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

async function deploy(ask: Ask, project: string, environment: string): Promise<{ id: string; environment: string }> {
  const variables = { TOKEN: 'a value that is sealed' };
  const { id } = await ask('POST', `/projects/${project}/deployments`, {
    environment,
    environment_variables: variables,
  });
  await waitFor(`the deployment to ${environment} ends well`, async () => {
    const { status, error } = await ask('GET', `/projects/${project}/deployments/${id}`);
    if (status === 'failed') throw new Error(error.message);
    return status === 'success';
  });
  return { id, environment };
}

async function withGrant(url: string, ada: Ada): Promise<Known['app']> {
  const { client_id, client_secret } = await registerApp({ url }, ada);
  await authorize(pageBrowser(url), ada, authorizeUrl({ url }, { client_id }));
  return { client_id, client_secret };
}

/** A receiver that accepts deliveries and refuses one: one delivery fails for good, and many succeed. */
async function withWebhook(ask: Ask) {
  let answered = 0;
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(answered++ === 0 ? 400 : 200).end('ok'));
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/kept`;
  const { webhook_id: id, secret } = await ask('POST', '/webhooks', { url, name: 'Kept', events: ['project.*'] });
  return {
    async settled(): Promise<Known['webhook']> {
      const deliveries = await waitFor('all deliveries are decided', async () => {
        const { deliveries: all, stats } = await ask('GET', `/webhooks/${id}/deliveries?limit=100`);
        return stats.pending_deliveries === 0 && all.length > 3 && all;
      });
      receiver.closeAllConnections();
      receiver.close();
      const of = (...statuses: string[]) =>
        deliveries.flatMap((one: Delivery) => (statuses.includes(one.status) ? one.delivery_id : []));
      return { id, secret, made: of('success'), failed: of('failed') };
    },
  };
}

type Delivery = { delivery_id: string; status: string };

async function withSession(ask: Ask, project: string): Promise<Known['session']> {
  const { session_id: id } = await ask('POST', '/collaboration/sessions', { name: 'Kept', workspace_id: project });
  await editLive((await ask('POST', `/collaboration/sessions/${id}/ticket`)).ws_url);
  await waitFor('the edit is saved', async () => {
    const { data } = await ask('GET', `/projects/${project}/commits?path=/docs/notes.md`);
    return data.length > 2;
  });
  const comment = { file_path: '/docs/notes.md', position: { line: 1, column: 1 }, content: 'Kept' };
  const made = await ask('POST', `/collaboration/sessions/${id}/comments`, comment);
  return { id, comments: [made.id] };
}

/** One line, typed by a client that leaves once it is stored. */
function editLive(address: string): Promise<void> {
  const socket = new WebSocket(address);
  const send = (message: unknown) => socket.send(JSON.stringify(message));
  const changes = [{ type: 'insert', position: { line: 1, column: 1 }, text: 'live\n' }];
  return new Promise((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error(`no socket at ${address}`)));
    socket.addEventListener('open', () => send({ type: 'open_file', file_path: '/docs/notes.md' }));
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'file_state') send({ type: 'code_change', file_path: message.file_path, changes, seq: 1 });
      if (message.type === 'ack' && message.durable) {
        socket.close();
        resolve();
      }
    });
  });
}

async function auditOf(ask: Ask): Promise<Record<string, number>> {
  const { data } = await ask('GET', '/user/audit-log?limit=100');
  const actions = Map.groupBy(data as { action: string }[], ({ action }) => action);
  return Object.fromEntries([...actions].map(([action, all]) => [action, all.length]));
}
