import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOldBudgets } from '../../identity/rate-limits/index.ts';
import { expectError } from '../../testing/clients/expect-error.ts';
import { type MailServer, startMailServer } from '../../testing/parts/mail-server.ts';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { ask, invite } from '../../testing/samples/sample-collaborators.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { startTestService, type TestService, type TestUser } from '../../testing/service/test-service.ts';
import { mailboxOf } from './mail-budget.ts';

let mails: MailServer;
let service: TestService;
let close: () => Promise<void>;
beforeAll(async () => {
  mails = await startMailServer();
  const started = await startTestService({ settings: { BOTTEGA_SMTP_URL: mails.url } });
  [service, close] = [started.running, started.close];
});
afterAll(async () => {
  await close();
  await mails.close();
});

const received = (address: string) => mails.received.filter(({ to }) => to === address).length;
/** Mails of one account are sent in order: when this one has arrived, no other one is before it. */
async function noMoreMails({ user, projectId }: Sender): Promise<void> {
  const address = `last-${crypto.randomUUID()}@example.com`;
  await invite(service, user, projectId, { email: address });
  await waitFor('the last mail', () => received(address) === 1);
}

type Sender = { user: TestUser; projectId: string };
async function sender(): Promise<Sender> {
  const user = await service.createUser();
  return { user, projectId: (await createProject(service, user)).id };
}
const resend = ({ user, projectId }: Sender, id: string) =>
  ask(service, user, ['POST', `/projects/${projectId}/collaborators/${id}/resend`]);

describe('the budget of a mailbox (five mails an hour from all accounts together)', () => {
  test('lets four more of sixty parallel resends out, and tells the others when to try again', async () => {
    const owner = await sender();
    const { id } = await invite(service, owner.user, owner.projectId, { email: 'victim@example.com' });
    const answers = await Promise.all(Array.from({ length: 60 }, () => resend(owner, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    const refused = answers.find(({ status }) => status !== 200) ?? answers[0];
    if (!refused) throw new Error('nothing was sent');
    expectError(refused, { status: 429, code: 'RATE_LIMIT_EXCEEDED' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(refused.body).toMatchObject({ error: { details: { limit: 5, window: 3600 } } });
    await noMoreMails(owner);
    expect(received('victim@example.com')).toBe(5);
  });

  test('keeps an invitation and its link unchanged if a resend is refused', async () => {
    const owner = await sender();
    const { id } = await invite(service, owner.user, owner.projectId, { email: 'kept@example.com' });
    for (let count = 0; count < 4; count++) expect((await resend(owner, id)).status).toBe(200);
    const read = async () => (await service.pool.query('select * from collaborators where id = $1', [id])).rows.at(0);
    const before = await read();
    expect((await resend(owner, id)).status).toBe(429);
    expect(await read()).toEqual(before);
  });

  test('does not prevent further invitations, whose inviter gets the link, and is separate for each mailbox', async () => {
    const senders = [await sender(), await sender(), await sender()];
    const sent = [];
    for (const [index, { user, projectId }] of [...senders, ...senders].entries()) {
      const email = `crowd+${index}@example.com`;
      sent.push(await invite(service, user, projectId, { email }));
    }
    expect(sent.map(({ invitation_url: url }) => url !== null)).toEqual([false, false, false, false, false, true]);
    const other = await invite(service, senders[0]?.user ?? fail(), senders[0]?.projectId ?? '', {
      email: 'somebody@example.com',
    });
    expect(other.invitation_url).toBeNull();
    await waitFor('that one arrives', () => received('somebody@example.com') === 1);
    expect(received('crowd+5@example.com')).toBe(0);
  });

  test('covers offers of a project too; an offer beyond the budget is only in the list of its recipient', async () => {
    const heir = await service.createUser();
    const owner = await sender();
    const offer = () =>
      ask(service, owner.user, ['POST', `/projects/${owner.projectId}/transfer`, { email: heir.email }]);
    for (let count = 0; count < 6; count++) {
      expect((await offer()).status).toBe(201);
      if (count < 5) await ask(service, owner.user, ['DELETE', `/projects/${owner.projectId}/transfer`]);
    }
    await noMoreMails(owner);
    expect(received(heir.email)).toBe(5);
    const { body } = await ask<{ data: unknown[] }>(service, heir, ['GET', '/user/transfers']);
    expect(body.data).toHaveLength(1);
  });

  test('is refilled after an hour, up to twenty mails a day', async () => {
    const owner = await sender();
    const { id } = await invite(service, owner.user, owner.projectId, { email: 'daily@example.com' });
    const anHourLater = () =>
      service.pool.query(
        `update attempt_budgets set started_at = started_at - interval '61 minutes',
           blocked_until = blocked_until - interval '61 minutes', touched_at = touched_at - interval '61 minutes'`,
      );
    let went = 1;
    for (let hour = 0; hour < 6; hour++) {
      for (let count = 0; count < 5; count++) went += (await resend(owner, id)).status === 200 ? 1 : 0;
      await anHourLater();
      await deleteOldBudgets(service.db);
    }
    expect(went).toBe(20);
  });
});

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['ada+anything+more@example.com', 'ada@example.com'],
  ['a.d.a+x@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['a.d.a@example.com', 'a.d.a@example.com'],
  ['"odd+@"@example.com', '"odd@example.com'],
])('the address %s belongs to the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

function fail(): never {
  throw new Error('there is no sender');
}
