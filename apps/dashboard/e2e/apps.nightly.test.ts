import { expect, test } from 'vitest';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { goodClaims, signJwt } from '../../server/src/testing/clients/service-jwt.ts';
import { useOauthApp } from '../../server/src/testing/samples/sample-oauth-app.ts';
import { createProject } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const service = useTestService();
const browser = useBrowser();
const app = useOauthApp();

const statusWith = async (token: string, path = '/projects') =>
  (await call('GET', `${service.url}/v1${path}`, { token })).status;

describeInBrowser('programs that act for people', () => {
  test('an OAuth app is registered, asks for access, is allowed, works, is changed, and is refused once it is revoked', async () => {
    const maker = await service.createUser({ name: 'Mara' });
    const page = await browser.open(service.url, { user: maker });
    await page.goto('/settings/apps');
    await page.getByText('No apps yet').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Drawing Board');
    await page.getByLabel('Redirect URLs').fill('http://example.com/callback');
    await page.getByRole('button', { name: 'Register app' }).click();
    await page.getByRole('alert').waitFor();
    await look(page, 'new-app');
    await page.getByLabel('Redirect URLs').fill(`https://board.example.com/callback\n${app.callback}`);
    await page.getByRole('button', { name: 'Register app' }).click();
    const textOf = async (label: string) => (await page.getByLabel(label, { exact: true }).textContent()) ?? '';
    await page.getByText('The app is registered').waitFor();
    const registered = { issuer: service.url, clientId: await textOf('Client ID'), secret: await textOf('Secret') };
    app.configure({ ...registered, scope: 'read:projects write:files' });

    const user = await service.createUser({ name: 'Uma' });
    const other = await browser.open(service.url);
    await other.goto(app.url);
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await look(other, 'oauth-sign-in', { follows: null });
    await other.getByLabel('E-mail address').fill(user.email);
    await other.getByLabel('Password').fill('correct horse');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { name: 'Allow Drawing Board to act for you?' }).waitFor();
    await look(other, 'oauth-consent', { follows: null });
    await other.getByRole('button', { name: 'Allow' }).click();
    await other.getByText('You are in').waitFor();
    expect(await statusWith(app.accessToken())).toBe(200);

    await other.goto(`${service.url}/settings/authorized`);
    await other.getByText('Change the files of your projects').waitFor();
    await look(other, 'authorized-apps');
    await other.getByRole('button', { name: 'Revoke: Drawing Board' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await other.getByText('No authorized apps').waitFor();
    expect(await statusWith(app.accessToken())).toBe(401);

    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'Drawing Board' }).click();
    await page.waitForURL(/\/apps\/app_/);
    await page.getByRole('heading', { name: 'Drawing Board' }).waitFor();
    await page.getByLabel('Redirect URLs').fill(app.callback);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    await page.getByText('This is the new secret').waitFor();
    expect(await textOf('Secret')).not.toBe(registered.secret);
    await look(page, 'app');
    const { body } = await call('GET', `${service.url}/v1/user/oauth-apps/${registered.clientId}`, {
      token: maker.key,
    });
    expect(body).toMatchObject({ redirect_uris: [app.callback], secrets: [{}, {}] });
    await page.getByRole('button', { name: 'Delete app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete app' }).click();
    await page.getByText('No apps yet').waitFor();
  });

  test('a service is registered, its JWTs are accepted, its key is replaced, and they are refused once it is removed', async () => {
    const user = await service.createUser();
    const page = await browser.open(service.url, { user, width: 375, height: 740 });
    await page.goto('/settings/services');
    await page.getByText('No services yet').waitFor();
    await page.getByLabel('Issuer').fill('ci.example.com');
    await page.getByRole('button', { name: 'Register service' }).click();
    const keyShown = async () => ({
      secret: (await page.getByLabel('Secret', { exact: true }).textContent()) ?? '',
      kid: (await page.getByLabel('Key ID (kid)', { exact: true }).textContent()) ?? '',
    });
    const first = await keyShown();
    await lookOnPhone(page, 'service-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    const claims = goodClaims({ issuer: 'ci.example.com', userId: user.id, audience: 'bottega' });
    const jwtBy = ({ secret, kid }: typeof first) => signJwt({ claims, secret, header: { kid } });
    expect(await statusWith(await jwtBy(first))).toBe(200);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'New key: ci.example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    await page.getByText('Use the bytes of this text').waitFor();
    const second = await keyShown();
    expect(second.kid).not.toBe(first.kid);
    for (const key of [first, second]) expect(await statusWith(await jwtBy(key))).toBe(200);
    await page.setViewportSize({ width: 1280, height: 800 });
    await look(page, 'services');
    await page.getByRole('button', { name: 'Remove: ci.example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No services yet').waitFor();
    expect(await statusWith(await jwtBy(second))).toBe(401);
  });

  test('a service account is created for one project; its JWTs reach no other project and are refused once it is removed', async () => {
    const user = await service.createUser();
    const [inside, outside] = [
      await createProject(service, user, { name: 'Inside' }),
      await createProject(service, user, { name: 'Outside' }),
    ];
    const { kid, secret } = await service.registerIssuer(user.id, 'robots.example.com');
    const page = await browser.open(service.url, { user });
    await page.goto('/settings/services');
    await page.getByText('No service accounts yet').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Release robot');
    await page.getByRole('combobox', { name: 'Projects' }).click();
    await page.getByRole('option', { name: 'Inside' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create service account' }).click();
    await page.getByText('1 project, all scopes').waitFor();
    await look(page, 'service-accounts');
    const answer = await call('GET', `${service.url}/v1/user/service-accounts`, { token: user.key });
    const [account] = answer.body.data as { id: string }[];
    const claims = goodClaims({ issuer: 'robots.example.com', userId: account?.id ?? '', audience: 'bottega' });
    const token = await signJwt({ claims, secret, header: { kid } });
    const statusOf = async (id: string) => (await call('GET', `${service.url}/v1/projects/${id}`, { token })).status;
    expect([await statusOf(inside.id), await statusOf(outside.id)]).toEqual([200, 404]);
    await page.getByRole('button', { name: 'Remove: Release robot' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No service accounts yet').waitFor();
    expect(await statusOf(inside.id)).toBe(401);
  });
});
