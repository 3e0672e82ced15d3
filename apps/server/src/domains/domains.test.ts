import type { Domain } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { newId } from '../foundation/ids.ts';
import { call } from '../testing/clients/http-client.ts';
import { useNameServer } from '../testing/parts/name-server.ts';
import { inProject, newPlace } from '../testing/samples/sample-files.ts';
import { onProject } from '../testing/samples/sample-projects.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { activeDomain, addDomain, checked, leadHere, proveByAlias, proveByText } from './domains.fixture.ts';
import { claimDue } from './domains.sql.ts';

const names = useNameServer();
const service = useTestService({
  role: 'api',
  settings: {
    BOTTEGA_DOMAINS_FREE: '8',
    get BOTTEGA_NAME_SERVERS() {
      return names.address;
    },
  },
});

let count = 0;
const fresh = (): string => `www.shop${++count}.test`;

async function eventsOf(projectId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await service.pool.query(
    "select type, data from events where project_id = $1 and type like 'domain.%' order by id",
    [projectId],
  );
  return rows;
}

const read = async (place: Awaited<ReturnType<typeof newPlace>>, name: string) =>
  (await inProject<Domain>(place, 'GET', `/domains/${name}`)).body;

describe('a domain that is added', () => {
  test('lists the records to set, which contain its id, and is found by name and by id', async () => {
    const place = await newPlace(service);
    const name = fresh();
    const domain = await addDomain(place, name.toUpperCase());
    expect(domain).toMatchObject({
      domain: name,
      state: 'pending',
      reason: null,
      redirect_to: null,
      verified_at: null,
    });
    expect(domain.records).toEqual(
      expect.arrayContaining([
        { type: 'CNAME', name, value: `${domain.id.replace('_', '-')}.localhost`, purpose: 'address', is_set: false },
        {
          type: 'TXT',
          name: `_bottega.${name}`,
          value: `bottega-domain=${domain.id}`,
          purpose: 'proof',
          is_set: false,
        },
        { type: 'A', name, value: '127.0.0.1', purpose: 'address', is_set: false },
      ]),
    );
    expect(await read(place, domain.id)).toEqual(domain);
    expect((await inProject(place, 'GET', '/domains')).body).toEqual({ data: [domain] });
  });

  test('has no CNAME to set if it is the apex of its zone', async () => {
    const domain = await addDomain(await newPlace(service), 'bare-name.test');
    expect(domain.records.map(({ type }) => type)).not.toContain('CNAME');
  });

  test('is a conflict if it exists already; a bad name or one of the service is refused with the field', async () => {
    const place = await newPlace(service);
    const name = fresh();
    await addDomain(place, name);
    expect((await inProject(place, 'POST', '/domains', { json: { domain: name } })).status).toBe(409);
    for (const domain of ['*.example.org', 'localhost', '10.0.0.1']) {
      const answer = await inProject<{ error: { details: object } }>(place, 'POST', '/domains', { json: { domain } });
      expect(answer.status).toBe(422);
      expect(answer.body.error.details).toMatchObject([{ field: 'domain' }]);
    }
  });

  test('is refused above the limit of the owner’s plan, however many are added at once', async () => {
    const place = await newPlace(service);
    const added = await Promise.all(
      Array.from({ length: 12 }, () => inProject(place, 'POST', '/domains', { json: { domain: fresh() } })),
    );
    expect(added.filter(({ status }) => status === 201)).toHaveLength(8);
    expect(added.filter(({ status }) => status === 403)).toHaveLength(4);
  });

  test('is in the audit log of the owner, and so is its removal', async () => {
    const place = await newPlace(service);
    const { id, domain } = await addDomain(place, fresh());
    expect((await inProject(place, 'DELETE', `/domains/${id}`)).status).toBe(204);
    expect((await inProject(place, 'GET', `/domains/${id}`)).status).toBe(404);
    const log = await call<{ data: object[] }>('GET', `${service.url}/v1/user/audit-log?limit=2`, {
      token: place.user.key,
    });
    expect(log.body.data).toMatchObject([
      { action: 'domain.removed', details: { domain } },
      { action: 'domain.added', details: { domain } },
    ]);
  });
});

describe('the proof', () => {
  test('can be a TXT record with the id of the claim, and an event reports it', async () => {
    const place = await newPlace(service);
    const name = fresh();
    const domain = await addDomain(place, name);
    expect(await checked(place, name)).toMatchObject({ state: 'pending', reason: { type: 'proof_missing' } });
    proveByText(names, domain);
    const verified = await checked(place, name);
    expect(verified).toMatchObject({ state: 'verified', reason: { type: 'not_leading_here' } });
    expect(verified.records.find(({ type }) => type === 'TXT')?.is_set).toBe(true);
    leadHere(names, domain);
    expect(await checked(place, name)).toMatchObject({ state: 'active', reason: null });
    expect(await eventsOf(place.projectId)).toMatchObject([
      { type: 'domain.verified', data: { domain: name, domain_id: domain.id } },
    ]);
  });

  test('can be a CNAME to the name of the claim, which is then the only record to set', async () => {
    const place = await newPlace(service);
    const domain = await addDomain(place, fresh());
    proveByAlias(names, domain);
    leadHere(names, domain);
    expect(await checked(place, domain.domain)).toMatchObject({ state: 'active' });
  });

  test('cannot be an address that leads here, since it does not say for which project', async () => {
    const place = await newPlace(service);
    const domain = await addDomain(place, fresh());
    leadHere(names, domain);
    expect(await checked(place, domain.domain)).toMatchObject({ state: 'pending', reason: { type: 'proof_missing' } });
  });

  test('of another project proves nothing', async () => {
    const [mine, theirs] = [await newPlace(service), await newPlace(service)];
    const name = fresh();
    await addDomain(mine, name);
    proveByText(names, await addDomain(theirs, name));
    expect(await checked(mine, name)).toMatchObject({ state: 'pending' });
    expect(await checked(theirs, name)).toMatchObject({ state: 'verified' });
  });

  test('that cannot be looked up does not change who holds the domain', async () => {
    const place = await newPlace(service);
    const { domain, id } = await activeDomain(names, place, fresh());
    await service.pool.query("update domains set unproven_since = now() - interval '30 days' where id = $1", [id]);
    names.silence(domain);
    expect(await checked(place, domain)).toMatchObject({ state: 'active', reason: { type: 'lookup_failed' } });
    names.silence(domain, false);
    expect(await checked(place, domain)).toMatchObject({ state: 'active', reason: null });
  });

  test('may be missing for three days before the domain fails and is released', async () => {
    const place = await newPlace(service);
    const { domain, id } = await activeDomain(names, place, fresh());
    names.set(`_bottega.${domain}`, 'TXT');
    expect(await checked(place, domain)).toMatchObject({ state: 'active', reason: { type: 'proof_missing' } });
    await service.pool.query("update domains set unproven_since = now() - interval '4 days' where id = $1", [id]);
    expect(await checked(place, domain)).toMatchObject({ state: 'failed', reason: { type: 'proof_missing' } });
    expect((await eventsOf(place.projectId)).map(({ type }) => type)).toEqual(['domain.verified', 'domain.failed']);
    expect(await checked(place, domain)).toMatchObject({ state: 'failed' });
    expect(await eventsOf(place.projectId)).toHaveLength(2);
  });
});

describe('a domain that two projects claim', () => {
  test('is held by only one of them, even if both are checked at once', async () => {
    const places = [await newPlace(service), await newPlace(service)];
    const name = fresh();
    const claims = await Promise.all(places.map((place) => addDomain(place, name)));
    names.set(`_bottega.${name}`, 'TXT', ...claims.map(({ id }) => `bottega-domain=${id}`));
    const states = (await Promise.all(places.map((place) => checked(place, name)))).map(({ state }) => state);
    expect(states.sort()).toEqual(['pending', 'verified']);
    const reasons = await Promise.all(places.map(async (place) => (await read(place, name)).reason?.type));
    expect(reasons.sort()).toEqual(['held_elsewhere', 'not_leading_here']);
  });

  test('passes to the project that DNS names now; a former holder without a proof loses it at once and is told', async () => {
    const [former, next] = [await newPlace(service), await newPlace(service)];
    const { domain } = await activeDomain(names, former, fresh());
    proveByText(names, await addDomain(next, domain));
    expect(await checked(next, domain)).toMatchObject({ state: 'active' });
    expect(await read(former, domain)).toMatchObject({ state: 'failed', reason: { type: 'held_elsewhere' } });
    expect((await eventsOf(former.projectId)).map(({ type }) => type)).toEqual(['domain.verified', 'domain.failed']);
  });

  test('is not kept by a project that was deleted', async () => {
    const [former, next] = [await newPlace(service), await newPlace(service)];
    const held = await activeDomain(names, former, fresh());
    await onProject(service, former.user, former.projectId, ['DELETE']);
    const claim = await addDomain(next, held.domain);
    names.set(`_bottega.${held.domain}`, 'TXT', `bottega-domain=${held.id}`, `bottega-domain=${claim.id}`);
    expect(await checked(next, held.domain)).toMatchObject({ state: 'active' });
  });

  test('is not kept by an account that is suspended', async () => {
    const [former, next] = [await newPlace(service), await newPlace(service)];
    const held = await activeDomain(names, former, fresh());
    await service.pool.query('update users set suspended_at = now() where id = $1', [former.user.id]);
    const claim = await addDomain(next, held.domain);
    names.set(`_bottega.${held.domain}`, 'TXT', `bottega-domain=${held.id}`, `bottega-domain=${claim.id}`);
    expect(await checked(next, held.domain)).toMatchObject({ state: 'active' });
  });
});

describe('a redirection', () => {
  test('leads to another domain of the project, in one step', async () => {
    const place = await newPlace(service);
    const [bare, www] = [await addDomain(place, 'redirected.test'), await addDomain(place, 'www.redirected.test')];
    const patch = (name: string, redirect_to: unknown) =>
      inProject<Domain>(place, 'PATCH', `/domains/${name}`, { json: { redirect_to } });
    expect((await patch(bare.domain, www.domain)).body.redirect_to).toBe(www.domain);
    expect((await patch(www.domain, bare.domain)).status).toBe(422);
    expect((await patch(bare.domain, bare.domain)).status).toBe(422);
    expect((await patch(bare.domain, 'elsewhere.test')).status).toBe(422);
    await inProject(place, 'DELETE', `/domains/${www.domain}`);
    expect((await read(place, bare.domain)).redirect_to).toBeNull();
  });
});

describe('manual checks of a domain', () => {
  test('are limited to a number per hour', async () => {
    const place = await newPlace(service);
    const { domain } = await addDomain(place, fresh());
    await service.pool.query('update attempt_budgets set attempts = 0');
    const answers = await Promise.all(
      Array.from({ length: 62 }, () => inProject(place, 'POST', `/domains/${domain}/verify`)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

/** Adds domains whose check was due that many minutes ago. No other domain is due. */
async function onlyDue(domains: { projectId: string; name: string; minutesAgo: number }[]): Promise<void> {
  await service.pool.query('update domains set next_check_at = null');
  for (const { projectId, name, minutesAgo } of domains) {
    await service.pool.query(
      `insert into domains (id, project_id, domain, next_check_at)
      values ($1, $2, $3, now() - make_interval(mins => $4))`,
      [newId('dom'), projectId, `${name}.due.example`, minutesAgo],
    );
  }
}

async function claimedOf(max: number): Promise<string[]> {
  const claimed = new Set(await claimDue(service.db, max));
  const { rows } = await service.pool.query('select id, domain from domains where next_check_at is not null');
  await service.pool.query('update domains set next_check_at = null');
  const domains = rows.filter(({ id }) => claimed.has(id)).map(({ domain }) => domain);
  return domains.toSorted();
}

test('an account with very many due domains takes a quarter of a run, which still checks those of others', async () => {
  const [{ projectId }, one] = [await newPlace(service), await newPlace(service)];
  const many = Array.from({ length: 10 }, (_, n) => ({ projectId, name: `many-${n}`, minutesAgo: 60 + n }));
  await onlyDue([...many, { projectId: one.projectId, name: 'one', minutesAgo: 1 }]);
  expect(await claimedOf(8)).toEqual(['many-8.due.example', 'many-9.due.example', 'one.due.example']);
});

test('the domains of a deleted project take nothing from the checks of the other domains of their account', async () => {
  const former = await newPlace(service);
  const { body } = await call<{ id: string }>('POST', `${service.url}/v1/projects`, {
    token: former.user.key,
    json: { name: 'Next' },
  });
  await onProject(service, former.user, former.projectId, ['DELETE']);
  const trashed = [1, 2, 3].map((n) => ({ projectId: former.projectId, name: `trashed-${n}`, minutesAgo: 60 }));
  await onlyDue([...trashed, { projectId: body.id, name: 'kept', minutesAgo: 1 }]);
  expect(await claimedOf(8)).toEqual(['kept.due.example']);
});
