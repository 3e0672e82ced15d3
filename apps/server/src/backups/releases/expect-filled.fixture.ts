import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { signIn } from '../../testing/clients/browser.ts';
import { goodClaims, signJwt } from '../../testing/clients/service-jwt.ts';
import type { Receiver } from '../../testing/clients/webhook-receiver.ts';
import { exchange } from '../../testing/samples/oauth-tokens.ts';
import { visit } from '../../testing/samples/sample-deployments.ts';
import { asking, readChecksums, readRepository } from './asking.fixture.ts';
import type { Known } from './known.ts';

type Place = { url: string; known: Known; receiver: Receiver };

/**
 * Expects that all of it is there and works for the users who made it. It needs a node that answers requests, and no
 * worker.
 */
export async function expectFilled(place: Place): Promise<void> {
  await expectAccounts(place);
  await expectRepositories(place);
  await expectPeopleAndTemplates(place);
  await expectDeployments(place);
  await expectWebhook(place);
}

async function expectAccounts({ url, known: { ada, bob, service, app, audit } }: Place): Promise<void> {
  for (const { id, key } of [ada, bob]) expect(await asking(url, key)('GET', '/user')).toMatchObject({ id });
  expect((await signIn(url, { email: ada.email, password: ada.password })).status).toBe(200);
  const withFactor = { email: bob.email, password: bob.password };
  expect((await signIn(url, withFactor)).status).toBe(401);
  // The code of the next half minute: the current one may have been used, and each is accepted once.
  const code = new TOTP({ secret: Secret.fromBase32(bob.totp_secret) }).generate({ timestamp: Date.now() + 30_000 });
  expect((await signIn(url, { ...withFactor, code })).status).toBe(200);
  expect((await signIn(url, { ...withFactor, code: bob.recovery_code })).status).toBe(200);
  const claims = goodClaims({ issuer: service.issuer, userId: ada.id, audience: url });
  const token = await signJwt({ secret: service.secret, claims });
  expect(await asking(url, token)('GET', '/user')).toMatchObject({ id: ada.id });

  const { data: apps } = await asking(url, ada.key)('GET', '/user/authorized-apps');
  expect(apps).toMatchObject([{ app: { id: app.client_id }, scopes: ['read:projects'] }]);
  // The app's secret is accepted, so the error is about the code.
  const known = { ...app, id: app.client_id, name: '' };
  expect((await exchange({ url }, known, { code: 'none' })).body).toMatchObject({ error: 'invalid_grant' });
  const { data } = await asking(url, ada.key)('GET', '/user/audit-log?limit=100');
  const actions = data.map(({ action }: { action: string }) => action);
  for (const action of Object.keys(audit)) expect(actions).toContain(action);
}

async function expectRepositories({ url, known }: Place): Promise<void> {
  const { ada, site, made_from_template, without_history } = known;
  const { files, refs, commits } = site;
  expect(await readRepository(url, ada.key, site.id)).toEqual({ files, refs, commits });
  for (const { id, files: some } of [made_from_template, without_history]) {
    expect(await readChecksums(url, ada.key, id)).toEqual(some);
  }
  for (const { id } of [site, made_from_template]) await expectSoundClone(`${url}/git/${id}.git`, ada.key);
}

/** Expects that `git fsck` accepts a mirror of the project. */
export async function expectSoundClone(address: string, key: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'bottega-clone-'));
  const script = 'git clone --quiet --mirror "$1" clone && git -C clone fsck --full --strict --no-dangling 2>&1';
  const args = ['-c', script, 'sh', address.replace('://', `://x:${key}@`)];
  const env = { PATH: process.env.PATH, HOME: home };
  const { stdout } = await promisify(execFile)('sh', args, { cwd: home, env }).finally(() =>
    rm(home, { recursive: true, force: true }),
  );
  expect(stdout).toBe('');
}

async function expectPeopleAndTemplates({ url, known }: Place): Promise<void> {
  const ask = asking(url, known.ada.key);
  const { data: people } = await ask('GET', `/projects/${known.site.id}/collaborators`);
  const emails = people.map(({ email, user }: { email?: string; user?: { email: string } }) => email ?? user?.email);
  expect(emails.toSorted()).toEqual([known.bob.email, known.invited]);
  expect(await asking(url, known.bob.key)('GET', `/projects/${known.site.id}`)).toMatchObject({ id: known.site.id });
  const { id } = await ask('POST', '/projects', { name: 'Again', template: known.template.id });
  expect(Object.keys(await readChecksums(url, known.ada.key, id))).toHaveLength(known.template.files);
  expect(await ask('POST', `/projects/${known.deleted_project}/restore`)).toMatchObject({ id: known.deleted_project });
  const { comments } = await ask('GET', `/collaboration/sessions/${known.session.id}/comments`);
  expect(comments.map((comment: { id: string }) => comment.id)).toEqual(known.session.comments);
}

async function expectDeployments({ url, known: { ada, site } }: Place): Promise<void> {
  for (const { id, environment } of site.deployments) {
    const deployment = await asking(url, ada.key)('GET', `/projects/${site.id}/deployments/${id}`);
    expect(deployment).toMatchObject({ environment, status: 'success' });
    expect((await visit(deployment.url)).text).toContain('<title>Kept</title>');
    const { logs } = await asking(url, ada.key)('GET', `/projects/${site.id}/deployments/${id}/logs`);
    expect(logs).not.toEqual([]);
  }
  const { live_url } = await asking(url, ada.key)('GET', `/projects/${site.id}`);
  expect((await visit(live_url)).text).toContain('<title>Kept</title>');
}

async function expectWebhook({ url, known: { ada, webhook }, receiver }: Place): Promise<void> {
  const ask = asking(url, ada.key);
  const { deliveries } = await ask('GET', `/webhooks/${webhook.id}/deliveries?limit=100`);
  const ids = deliveries.map((one: { delivery_id: string }) => one.delivery_id);
  expect(ids.toSorted()).toEqual([...webhook.made, ...webhook.failed].toSorted());
  const { url: address, nth } = receiver.at(`/${new URL(url).port}/${webhook.id}`);
  await ask('PUT', `/webhooks/${webhook.id}`, { url: address });
  await ask('POST', `/webhooks/${webhook.id}/test`);
  const { body, headers } = await nth(0);
  expect(headers['x-service-signature']).toBe(createHmac('sha256', webhook.secret).update(body).digest('hex'));
}
