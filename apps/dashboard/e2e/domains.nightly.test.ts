import type { Domain } from '@bottega/contract';
import { expect, test } from 'vitest';
import { leadHere, proveByText } from '../../server/src/domains/domains.fixture.ts';
import { call } from '../../server/src/testing/clients/http-client.ts';
import { useNameServer } from '../../server/src/testing/parts/name-server.ts';
import { buildSettings, deployed, projectOf, visit } from '../../server/src/testing/samples/sample-deployments.ts';
import { inProject } from '../../server/src/testing/samples/sample-files.ts';
import { addCollaborator } from '../../server/src/testing/samples/sample-projects.ts';
import { useTestService } from '../../server/src/testing/service/test-service.ts';
import { describeInBrowser, useBrowser } from './browser.ts';
import { look, lookOnPhone } from './look.ts';

const names = useNameServer();
const service = useTestService({
  settings: {
    ...buildSettings,
    get BOTTEGA_NAME_SERVERS() {
      return names.address;
    },
  },
});
const browser = useBrowser();

describeInBrowser('domains', () => {
  test('are added, set up with the DNS records that are shown, checked, redirected and removed', async () => {
    const user = await service.createUser({ name: 'Ada' });
    const place = await projectOf(service, { '/index.html': 'Hello' }, user);
    await deployed(place);
    const page = await browser.open(service.url, { user });
    await page.goto(`/projects/${place.projectId}`);
    await page.getByRole('tab', { name: 'Deployments' }).click();
    await page.getByRole('tab', { name: 'Domains' }).click();
    await page.getByText('No domains yet').waitFor();

    const add = async (domain: string) => {
      await page.getByLabel('Domain', { exact: true }).fill(domain);
      await page.getByRole('button', { name: 'Add domain' }).click();
    };
    await add('https://www.shop.test/');
    await page.getByText('Enter a name such as www.example.com').waitFor();
    await add('www.shop.test');
    const card = page.getByRole('article', { name: 'www.shop.test' });
    await card.getByText('Waiting for DNS').waitFor();
    const shown = await card.getByLabel('Value of the TXT record of www.shop.test', { exact: true }).textContent();
    const { body: domain } = await inProject<Domain>(place, 'GET', '/domains/www.shop.test');
    expect(shown).toBe(`bottega-domain=${domain.id}`);
    await look(page, 'domains-pending');

    await card.getByRole('button', { name: 'Check now' }).click();
    await card.getByText('There is no DNS record yet that proves').waitFor();
    proveByText(names, domain);
    await card.getByRole('button', { name: 'Check now' }).click();
    await card.getByText('it does not point to this service yet').waitFor();
    leadHere(names, domain);
    await card.getByRole('button', { name: 'Check now' }).click();
    await card.getByText('Active', { exact: true }).waitFor();

    await add('shop.test');
    const bare = page.getByRole('article', { name: 'shop.test', exact: true });
    await bare.getByLabel('Redirect shop.test to').selectOption('www.shop.test');
    await expect
      .poll(async () => (await inProject<Domain>(place, 'GET', '/domains/shop.test')).body.redirect_to)
      .toBe('www.shop.test');
    await look(page, 'domains');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await lookOnPhone(page, 'domains-phone');
    await bare.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await bare.waitFor({ state: 'detached' });
  });

  test('are shown to a reader without any controls to change them, in German', async () => {
    const place = await projectOf(service, { '/index.html': 'Hello' });
    await inProject(place, 'POST', '/domains', { json: { domain: 'leser.test' } });
    const reader = await service.createUser({ name: 'Grace' });
    await addCollaborator(service, place.projectId, reader);
    await call('PATCH', `${service.url}/v1/user`, { token: reader.key, json: { preferences: { language: 'de' } } });
    const page = await browser.open(service.url, { user: reader });
    await page.goto(`/projects/${place.projectId}/domains`);
    await page.getByRole('article', { name: 'leser.test' }).getByText('Wartet auf DNS').waitFor();
    expect(await page.getByRole('button', { name: /Jetzt prüfen|Entfernen|Domain hinzufügen/ }).count()).toBe(0);
  });
});

describeInBrowser('an address without anything behind it', () => {
  test('is reported in the dashboard for an unknown address, and on a page of its own for an unknown app', async () => {
    const page = await browser.open(service.url);
    const answer = await page.goto('/nowhere');
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look(page, 'nowhere');
    // Its own policy forbids every script, including those of the checks: so its text is shown elsewhere.
    const other = await visit(`http://nobody.localhost:${service.service.ports().appsPort}/`);
    expect(other.status).toBe(404);
    await page.goto('about:blank');
    await page.setContent(other.text);
    await page.getByText('There is no app at this address.').waitFor();
    await look(page, 'unknown-app', { follows: null });
  });
});
