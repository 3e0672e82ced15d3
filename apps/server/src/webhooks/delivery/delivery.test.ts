import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { secretBox } from '../../foundation/crypto/secret-box.ts';
import { signedInBrowser } from '../../testing/clients/browser.ts';
import { call } from '../../testing/clients/http-client.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { listAttempts } from '../history/deliveries.sql.ts';
import { type Answer, hang, ok, type Receiver, startReceiver, status } from '../receiver.fixture.ts';
import { deliveriesOf, happen, numbersIn, once, quick, subscribe } from '../subscription.fixture.ts';

const service = useTestService();
const receivers: Receiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  await service.db.deleteFrom('webhooks').execute();
});

async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...args);
  receivers.push(started);
  return started;
}

async function projectOf(user: TestUser, settings = {}): Promise<string> {
  const json = { name: 'Hooked', settings };
  const { body } = await call('POST', `${service.url}/v1/projects`, { token: user.key, json });
  return String(body.id);
}

async function collaborate(projectId: string, user: TestUser): Promise<void> {
  await service.pool.query(
    `insert into collaborators (id, project_id, user_id, email, role, permissions, status)
     values ($1, $2, $3, $4, 'viewer', '{read,comment}', 'active')`,
    [`col_${projectId.slice(4)}`, projectId, user.id, user.email],
  );
}

/** When this event arrives, events after it have been fanned out as well. */
async function arrived(at: Receiver, number: number): Promise<number[]> {
  return waitFor(`${number} arrives`, () => {
    const numbers = numbersIn(at.received);
    return numbers.includes(number) && numbers;
  });
}

describe('an event', () => {
  test('arrives once at each webhook that subscribes to it, and its outcome is stored', async () => {
    const user = await service.createUser();
    const [one, other] = [await receiver(), await receiver()];
    const first = await subscribe(service, { ownerId: user.id, url: one.url });
    await subscribe(service, { ownerId: user.id, url: other.url });
    const number = await happen(service, { accountId: user.id });
    await waitFor('both got it', () => one.received.length === 1 && other.received.length === 1);
    expect(numbersIn(one.received)).toEqual([number]);
    const [delivery] = await waitFor('the outcome', async () => {
      const rows = await deliveriesOf(service, first);
      return rows[0]?.status === 'success' && rows;
    });
    expect(delivery).toMatchObject({ attempts: 1, response_code: 200, response_body: 'ok', holder: null, logged: 1 });
    const { rows } = await service.pool.query('select * from webhook_stats where webhook_id = $1', [first]);
    expect(rows).toMatchObject([{ status: 'success', deliveries: 1, event_type: 'user.updated' }]);
    const health = await service.db
      .selectFrom('webhook_health')
      .selectAll()
      .where('webhook_id', '=', first)
      .executeTakeFirst();
    expect(health).toMatchObject({ successful: 1, failed: 0, responses: 1, failures_in_row: 0, paused_until: null });
  });

  test('carries the documented headers, the custom ones, and signatures that verify', async () => {
    const user = await service.createUser();
    const at = await receiver();
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const id = await subscribe(service, { ownerId: user.id, url: at.url, secret, headers: { 'x-api-key': 'mine' } });
    const number = await happen(service, { accountId: user.id });
    await arrived(at, number);
    const [request] = at.received;
    const headers = request?.headers as Record<string, string>;
    const [delivery] = await waitFor('its outcome', async () => {
      const rows = await deliveriesOf(service, id);
      return rows[0]?.status === 'success' && rows;
    });
    expect(headers).toMatchObject({
      'user-agent': 'Service-Webhooks/1.0',
      'content-type': 'application/json',
      'x-service-event': 'user.updated',
      'x-service-delivery': delivery.id,
      'x-service-webhook-id': id,
      'x-service-timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      'webhook-id': delivery.event_id,
      'x-api-key': 'mine',
    });
    expect(new Webhook(secret).verify(request?.body ?? '', headers)).toMatchObject({ event: 'user.updated' });
    const [logged] = await listAttempts(service.db, delivery.id);
    expect(logged?.request_headers).toMatchObject({ 'x-api-key': '***', 'webhook-id': delivery.event_id });
  });

  test('is signed with both secrets during a rotation, and with only the new one afterwards', async () => {
    const user = await service.createUser();
    const at = await receiver();
    const [older, newer] = ['whsec_b2xkZXI=', 'whsec_bmV3ZXI='];
    const id = await subscribe(service, { ownerId: user.id, url: at.url, secret: newer });
    const previous = secretBox(service.secretKey, 'webhooks').seal(older);
    for (const until of ['1 hour', '-1 second']) {
      await service.pool.query(
        'update webhooks set previous_secret_encrypted = $2, previous_secret_until = now() + $3::interval where id = $1',
        [id, previous, until],
      );
      await arrived(at, await happen(service, { accountId: user.id }));
    }
    const signatures = at.received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length);
    expect(signatures).toEqual([2, 1]);
    const [during] = at.received;
    for (const secret of [older, newer]) {
      new Webhook(secret).verify(during?.body ?? '', during?.headers as Record<string, string>);
    }
  });

  test('without a subscriber is not delivered', async () => {
    const user = await service.createUser();
    const at = await receiver();
    await subscribe(service, { ownerId: user.id, url: at.url, events: ['user.login', 'user.logout'] });
    await happen(service, { accountId: user.id });
    await arrived(at, await happen(service, { accountId: user.id, type: 'user.login' }));
    expect(at.received).toHaveLength(1);
  });

  test('does not go to a webhook that was made or switched on after the event', async () => {
    const user = await service.createUser();
    const at = await receiver();
    const off = await subscribe(service, { ownerId: user.id, url: at.url });
    await service.pool.query('update webhooks set active = false where id = $1', [off]);
    await happen(service, { accountId: user.id });
    await service.pool.query('update webhooks set active = true where id = $1', [off]);
    const made = await receiver();
    await subscribe(service, { ownerId: user.id, url: made.url });
    const number = await happen(service, { accountId: user.id });
    expect(await arrived(at, number)).toEqual([number]);
    expect(await arrived(made, number)).toEqual([number]);
  });
});

describe('who gets which events', () => {
  test.each([
    ['private', false],
    ['public', true],
  ])(
    'an account-wide webhook gets those of the account, its projects and collaborations, not of other %s projects',
    async (_kind, isPublic) => {
      const [owner, friend, stranger] = [
        await service.createUser(),
        await service.createUser(),
        await service.createUser(),
      ];
      const project = await projectOf(owner, { public: isPublic });
      await collaborate(project, friend);
      const at = { owner: await receiver(), friend: await receiver(), stranger: await receiver() };
      await subscribe(service, { ownerId: owner.id, url: at.owner.url });
      await subscribe(service, { ownerId: friend.id, url: at.friend.url });
      await subscribe(service, { ownerId: stranger.id, url: at.stranger.url });
      const ofOwner = await happen(service, { accountId: owner.id });
      const ofProject = await happen(service, { accountId: owner.id, projectId: project });
      const ofStranger = await happen(service, { accountId: stranger.id });
      await arrived(at.stranger, ofStranger);
      expect(new Set(await arrived(at.owner, ofProject))).toEqual(new Set([ofOwner, ofProject]));
      expect(await arrived(at.friend, ofProject)).toEqual([ofProject]);
      expect(numbersIn(at.stranger.received)).toEqual([ofStranger]);
    },
  );

  test('an administrator gets those of every account, but not of the projects of others', async () => {
    const [admin, user] = [await service.createUser({ isAdmin: true }), await service.createUser()];
    const project = await projectOf(user);
    const at = await receiver();
    await subscribe(service, { ownerId: admin.id, url: at.url });
    await happen(service, { accountId: user.id, projectId: project });
    const number = await happen(service, { accountId: user.id });
    expect(await arrived(at, number)).toEqual([number]);
  });

  test('the webhook of a project gets those of the project, including its deletion', async () => {
    const user = await service.createUser();
    const [project, other] = [await projectOf(user), await projectOf(user)];
    const at = await receiver();
    await subscribe(service, { ownerId: user.id, url: at.url, projectId: project });
    await happen(service, { accountId: user.id, projectId: other });
    await happen(service, { accountId: user.id });
    const number = await happen(service, { accountId: user.id, projectId: project });
    expect(await arrived(at, number)).toEqual([number]);
    await call('DELETE', `${service.url}/v1/projects/${project}`, { token: user.key });
    const last = await waitFor('the deletion', () => at.received[1]);
    expect(last.json).toMatchObject({ event: 'project.deleted', data: { project_id: project } });
  });

  test('a webhook gets neither new events nor retries once its owner has lost access', async () => {
    const [owner, friend] = [await service.createUser(), await service.createUser()];
    const project = await projectOf(owner);
    await collaborate(project, friend);
    const at = await receiver(status(500));
    const policy = { max_attempts: 3, backoff_strategy: 'fixed' as const, initial_delay: 700 };
    const id = await subscribe(service, { ownerId: friend.id, url: at.url, policy });
    await happen(service, { accountId: owner.id, projectId: project });
    await waitFor('a first attempt', async () => (await deliveriesOf(service, id))[0]?.attempts === 1);
    await service.pool.query('delete from collaborators where user_id = $1', [friend.id]);
    await happen(service, { accountId: owner.id, projectId: project });
    const rows = await waitFor('the retry is given up', async () => {
      const found = await deliveriesOf(service, id);
      return found[0]?.status === 'failed' && found;
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ reason: 'no_access', attempts: 1 });
    expect(at.received).toHaveLength(1);
  });

  test('a webhook gets neither new events nor retries while its owner is suspended', async () => {
    const owner = await service.createUser();
    const at = await receiver(status(500));
    const policy = { max_attempts: 3, backoff_strategy: 'fixed' as const, initial_delay: 700 };
    const id = await subscribe(service, { ownerId: owner.id, url: at.url, policy });
    await happen(service, { accountId: owner.id });
    await waitFor('a first attempt', async () => (await deliveriesOf(service, id))[0]?.attempts === 1);
    await service.pool.query('update users set suspended_at = now() where id = $1', [owner.id]);
    await happen(service, { accountId: owner.id });
    const rows = await waitFor('the retry is given up', async () => {
      const found = await deliveriesOf(service, id);
      return found[0]?.status === 'failed' && found;
    });
    expect(rows).toMatchObject([{ reason: 'no_access', attempts: 1 }]);
    expect(at.received).toHaveLength(1);
  });

  test('a webhook gets only the events that its filters let through', async () => {
    const user = await service.createUser();
    const project = await projectOf(user);
    const at = await receiver();
    await subscribe(service, { ownerId: user.id, url: at.url, filters: { paths: ['/src/**'] } });
    const file = (path: string) =>
      happen(service, { accountId: user.id, projectId: project, type: 'file.updated', data: { file_path: path } });
    await file('/docs/a.md');
    const number = await file('/src/deep/a.ts');
    expect(await arrived(at, number)).toEqual([number]);
  });
});

describe('connections', () => {
  test('are reused, so that many deliveries in a row take only one', async () => {
    const user = await service.createUser();
    const at = await receiver();
    await subscribe(service, { ownerId: user.id, url: at.url });
    for (let count = 0; count < 20; count++) await arrived(at, await happen(service, { accountId: user.id }));
    expect(at.received).toHaveLength(20);
    expect(at.connections()).toBe(1);
  });

  test('to one webhook at the same time stay within the limit, and every delivery arrives', async () => {
    const user = await service.createUser();
    let active = 0;
    let max = 0;
    const at = await receiver((_, response) => {
      max = Math.max(max, ++active);
      setTimeout(() => {
        active--;
        response.end();
      }, 5);
    });
    await subscribe(service, { ownerId: user.id, url: at.url });
    const numbers = await Promise.all(Array.from({ length: 300 }, () => happen(service, { accountId: user.id })));
    await waitFor('all arrive', () => at.received.length >= 300);
    expect(numbersIn(at.received).toSorted((a, b) => a - b)).toEqual(numbers.toSorted((a, b) => a - b));
    expect(max).toBeLessThanOrEqual(10);
    expect(at.connections()).toBeLessThanOrEqual(20);
  });
});

test('an endpoint that hangs delays no other webhook', async () => {
  const user = await service.createUser();
  const [hanging, well] = [await receiver(hang), await receiver()];
  const stuck = await subscribe(service, { ownerId: user.id, url: hanging.url, timeout: 60 });
  await subscribe(service, { ownerId: user.id, url: well.url });
  const numbers: number[] = [];
  for (let count = 0; count < 200; count++) numbers.push(await happen(service, { accountId: user.id }));
  await waitFor('all arrive where they can', () => well.received.length === 200);
  const pending = await waitFor('those that wait are written down', async () => {
    const rows = (await deliveriesOf(service, stuck)).filter((row) => row.status === 'pending');
    return rows.length === 200 && rows;
  });
  expect(pending.every((row) => row.attempts === 0)).toBe(true);
  expect(hanging.received.length).toBeLessThanOrEqual(10);
});

describe('with ordered delivery', () => {
  test('the events of a project arrive one after the other, also with retries', async () => {
    const user = await service.createUser();
    const [project, other] = [await projectOf(user), await projectOf(user)];
    let active = 0;
    let max = 0;
    let failures = 3;
    const at = await receiver((request, response, raw) => {
      if ((request.json.data as { project?: string }).project === other) return ok(request, response, raw);
      max = Math.max(max, ++active);
      setTimeout(() => {
        active--;
        (failures-- > 0 ? status(500) : ok)(request, response, raw);
      }, 5);
    });
    await subscribe(service, { ownerId: user.id, url: at.url, ordered: true, policy: quick });
    const numbers: number[] = [];
    for (let count = 0; count < 15; count++) {
      numbers.push(await happen(service, { accountId: user.id, projectId: project, data: { project } }));
      await happen(service, { accountId: user.id, projectId: other, data: { project: other } });
    }
    const ofProject = () =>
      numbersIn(at.received.filter(({ json }) => (json.data as { project: string }).project === project));
    await waitFor('all arrive', () => new Set(ofProject()).size === 15);
    // Repeated attempts are dropped before the comparison.
    expect(ofProject().filter((number, index, all) => number !== all[index - 1])).toEqual(numbers);
    expect(max).toBe(1);
  });

  /** Holds the first answer until this many deliveries wait. Then all get the given answer. */
  async function lined(count: number, answer: Answer, policy = quick) {
    const user = await service.createUser();
    const project = await projectOf(user);
    let answerFirst = () => undefined as unknown;
    const at = await receiver((...request) => {
      answerFirst = () => answer(...request);
    });
    const id = await subscribe(service, { ownerId: user.id, url: at.url, ordered: true, policy });
    const numbers: number[] = [];
    for (let made = 0; made < count; made++)
      numbers.push(await happen(service, { accountId: user.id, projectId: project }));
    await waitFor('all wait', async () => (await deliveriesOf(service, id)).length === count);
    await waitFor('the first is sent', () => at.received.length === 1);
    at.answer(answer);
    answerFirst();
    const ended = waitFor('all end', async () => {
      const rows = await deliveriesOf(service, id);
      return rows.every((row) => row.status !== 'pending') && rows;
    });
    return { at, numbers, ended };
  }

  test('deliveries that wait behind one another are claimed together', async () => {
    // Every statement that claims deliveries adds a row.
    await service.pool.query(`
      create table takings (count bigint);
      create function note_taking() returns trigger language plpgsql as $$ begin
        insert into takings select count(*) from new_rows where holder is not null having count(*) > 0;
        return null;
      end $$;
      create trigger takings after update on webhook_deliveries
        referencing new table as new_rows for each statement execute function note_taking();`);
    const { at, numbers, ended } = await lined(120, ok);
    await ended;
    expect(numbersIn(at.received)).toEqual(numbers);
    const { rows } = await service.pool.query('select count(*)::int as claims from takings');
    // One claim for the first delivery, and then 50 at a time.
    expect(rows[0].claims).toBeLessThanOrEqual(8);
    await service.pool.query(
      'drop trigger takings on webhook_deliveries; drop function note_taking; drop table takings',
    );
  });

  test('a delivery that fails is tried again before the next one, until it arrives or is given up', async () => {
    const tries = new Map<number, number>();
    const { at, numbers, ended } = await lined(
      30,
      (request, response, raw) => {
        const [number = 0] = numbersIn([request]);
        const tried = (tries.get(number) ?? 0) + 1;
        tries.set(number, tried);
        const isWell = number % 10 !== 3 && (number % 4 !== 0 || tried > 1);
        (isWell ? ok : status(500))(request, response, raw);
      },
      { ...quick, max_attempts: 3 },
    );
    const rows = await ended;
    expect(rows.filter((row) => row.status === 'failed')).toHaveLength(3);
    const seen = numbersIn(at.received);
    expect(seen.filter((number, index) => number !== seen[index - 1])).toEqual(numbers);
    expect(seen.filter((number) => number % 10 === 3)).toHaveLength(9);
  });
});

test('a webhook that is switched off gets no deliveries that still wait', async () => {
  const user = await service.createUser();
  const at = await receiver(status(500));
  const policy = { max_attempts: 5, backoff_strategy: 'fixed' as const, initial_delay: 700 };
  const id = await subscribe(service, { ownerId: user.id, url: at.url, policy });
  await happen(service, { accountId: user.id });
  await waitFor('a first attempt', async () => (await deliveriesOf(service, id))[0]?.attempts === 1);
  await service.pool.query('update webhooks set active = false where id = $1', [id]);
  const [row] = await waitFor('it is over', async () => {
    const found = await deliveriesOf(service, id);
    return found[0]?.status === 'failed' && found;
  });
  expect(row).toMatchObject({ reason: 'inactive', attempts: 1, error: 'The webhook is inactive' });
  expect(at.received).toHaveLength(1);
});

test('a changed address is used from the next attempt on', async () => {
  const user = await service.createUser();
  const [before, after] = [await receiver(status(500)), await receiver()];
  const policy = { max_attempts: 3, backoff_strategy: 'fixed' as const, initial_delay: 500 };
  const id = await subscribe(service, { ownerId: user.id, url: before.url, policy });
  const number = await happen(service, { accountId: user.id });
  await waitFor('a first attempt', async () => (await deliveriesOf(service, id))[0]?.attempts === 1);
  await service.pool.query('update webhooks set url = $2 where id = $1', [id, after.url]);
  expect(await arrived(after, number)).toEqual([number]);
  expect(before.received).toHaveLength(1);
});

test('a download creates an event if somebody subscribes to it, and no row otherwise', async () => {
  const at = await receiver();
  const [unheard, heard] = [await downloadable(), await downloadable()];
  await subscribe(service, {
    ownerId: heard.user.id,
    url: at.url,
    events: ['file.downloaded'],
    format: 'guide',
    policy: once,
  });
  // Every node learns of the subscription shortly after.
  let asked = 0;
  await waitFor('the download is told of', async () => {
    await unheard.download();
    await heard.download();
    asked++;
    return at.received.length > 0;
  });
  expect(at.received[0]?.json).toMatchObject({ type: 'file.downloaded', data: { object: { path: '/a.txt' } } });
  await waitFor('each of them', async () => (await heard.told()) === at.received.length);
  expect(at.received.length).toBeLessThanOrEqual(asked);
  expect(await unheard.told()).toBe(0);
});

test('a file that is viewed in the dashboard creates no download event, but one that is downloaded there does', async () => {
  const at = await receiver();
  const { user, download } = await downloadable();
  // The downloads of the other project may still be recorded while the browser reads this one.
  const { path, told } = await downloadable(user);
  await subscribe(service, {
    ownerId: user.id,
    url: at.url,
    events: ['file.downloaded'],
    format: 'guide',
    policy: once,
  });
  await waitFor('the subscription is heard of', async () => {
    await download();
    return at.received.length > 0;
  });
  const browser = await signedInBrowser(service.url, user);
  expect((await browser.ask('GET', path)).text).toBe('hello');
  expect((await browser.ask('GET', `${path}?download=true`)).text).toBe('hello');
  await waitFor('the download', async () => (await told()) !== 0);
  expect(await told()).toBe(1);
});

async function downloadable(by?: Awaited<ReturnType<typeof service.createUser>>) {
  const user = by ?? (await service.createUser());
  const project = await projectOf(user);
  const files = `${service.url}/v1/projects/${project}/files`;
  const written = await call('PUT', files, { token: user.key, json: { path: '/a.txt', content: 'hello' } });
  const told = "select from events where type = 'file.downloaded' and project_id = $1";
  const path = `/projects/${project}/files/${written.body.id}/content`;
  return {
    user,
    path,
    download: () => call('GET', `${service.url}/v1${path}`, { token: user.key }),
    told: async () => (await service.pool.query(told, [project])).rowCount,
  };
}
