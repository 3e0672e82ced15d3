import { describe, expect, test } from 'vitest';
import { useNameServer } from '../testing/parts/name-server.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { buildSettings, deployed, projectOf, visit } from '../testing/samples/sample-deployments.ts';
import { inProject } from '../testing/samples/sample-files.ts';
import { onProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { activeDomain, addDomain } from './domains.fixture.ts';

const names = useNameServer();
const service = useTestService({
  settings: {
    ...buildSettings,
    get BOTTEGA_NAME_SERVERS() {
      return names.address;
    },
  },
});

const at = (host: string, path = '/') =>
  visit(`http://localhost:${service.service.ports().appsPort}${path}`, { host, 'accept-language': 'de-AT,de;q=0.9' });

async function site(text: string) {
  const place = await projectOf(service, { '/index.html': text, '/d/page.html': 'below d' });
  await deployed(place);
  return place;
}

const untilStatus = (host: string, status: number) =>
  waitFor(`${host} answers with ${status}`, async () => (await at(host)).status === status);

describe('the live deployment', () => {
  test('answers at a verified domain of its project, in any letter case and at any port, and at no other domain', async () => {
    const place = await site('Hello');
    await addDomain(place, 'pending.shop.test');
    await activeDomain(names, place, 'www.shop.test');
    for (const host of ['www.shop.test', 'WWW.Shop.TEST', 'www.shop.test:8443']) {
      expect(await at(host)).toMatchObject({ status: 200, text: 'Hello' });
    }
    expect((await at('www.shop.test', '/d/page')).text).toBe('below d');
    for (const host of ['pending.shop.test', 'shop.test', 'x.www.shop.test', 'www.shop.test.evil.test']) {
      expect((await at(host)).status).toBe(404);
    }
  });

  test('redirects to the chosen domain, with path and query, once that domain answers', async () => {
    const place = await site('Hello');
    await activeDomain(names, place, 'redirected.test');
    const main = await addDomain(place, 'www.redirected.test');
    await inProject(place, 'PATCH', '/domains/redirected.test', { json: { redirect_to: main.domain } });
    expect((await at('redirected.test')).status).toBe(200);
    await inProject(place, 'DELETE', `/domains/${main.domain}`);
    await activeDomain(names, place, main.domain);
    await inProject(place, 'PATCH', '/domains/redirected.test', { json: { redirect_to: main.domain } });
    await untilStatus('redirected.test', 308);
    const { headers } = await at('redirected.test', '/a?b=c');
    expect(headers.location).toBe(`http://www.redirected.test:${service.service.ports().appsPort}/a?b=c`);
  });

  test('stops being served with its domain, its project or its account, and returns with them', async () => {
    const place = await site('Hello');
    const { domain } = await activeDomain(names, place, 'ending.test');
    const suspended = (time: string) =>
      service.pool.query(`update users set suspended_at = ${time} where id = $1`, [place.user.id]);
    await suspended('now()');
    await untilStatus(domain, 404);
    await suspended('null');
    await untilStatus(domain, 200);
    await onProject(service, place.user, place.projectId, ['DELETE']);
    await untilStatus(domain, 404);
    await inProject(place, 'POST', '/restore');
    await untilStatus(domain, 200);
    await inProject(place, 'DELETE', `/domains/${domain}`);
    await untilStatus(domain, 404);
  });
});

test('an unknown host gets a page in the visitor’s language, without a script', async () => {
  const german = await at('nobody.test');
  expect(german).toMatchObject({ status: 404, headers: { vary: 'Accept-Language' } });
  expect(german.text).toContain('<html lang="de">');
  expect(german.text).toContain('Unter dieser Adresse gibt es keine App.');
  expect(german.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; sandbox$/);
  const english = await visit(`http://nobody.localhost:${service.service.ports().appsPort}/`);
  expect(english.text).toContain('There is no app at this address.');
  expect(english.text).not.toContain('<script');
});

test('domains that are due are checked automatically', async () => {
  const place = await site('Hello');
  const domain = await addDomain(place, 'www.by-itself.test');
  names.set('_bottega.www.by-itself.test', 'TXT', `bottega-domain=${domain.id}`);
  await service.pool.query("select graphile_worker.add_job('domains:check')");
  await waitFor('it is verified', async () => {
    const { body } = await inProject(place, 'GET', '/domains/www.by-itself.test');
    return body.state === 'verified';
  });
});
