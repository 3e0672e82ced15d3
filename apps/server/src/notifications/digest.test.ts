import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '../foundation/db/index.ts';
import { causeOfRun } from '../foundation/http/index.ts';
import { type MailServer, startMailServer } from '../testing/parts/mail-server.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { ask } from '../testing/samples/sample-collaborators.ts';
import { addCollaborator, createProject } from '../testing/samples/sample-projects.ts';
import { startTestService, type TestService, type TestUser } from '../testing/service/test-service.ts';
import { notify } from './index.ts';

let mails: MailServer;
let service: TestService;
let owner: TestUser;
let projectId: string;
let close: () => Promise<unknown>;
beforeAll(async () => {
  mails = await startMailServer();
  const started = await startTestService({ settings: { BOTTEGA_SMTP_URL: mails.url } });
  [service, close] = [started.running, started.close];
  owner = await service.createUser({ name: 'Ada' });
  projectId = (await createProject(service, owner, { name: 'Loom <1>' })).id;
});
afterAll(async () => {
  await close();
  await mails.close();
});

async function member(): Promise<TestUser> {
  const user = await service.createUser({ name: 'Grace' });
  await addCollaborator(service, projectId, user, { role: 'editor' });
  return user;
}

const mention = (user: TestUser, excerpt: string) =>
  transaction(service.db, (trx) => {
    const data = { comment_id: 'cmt_x', file_path: '/main.ts', line: 3, excerpt };
    return notify(trx, { type: 'mention', to: [user.id], projectId, actorId: owner.id, data }, causeOfRun(owner.id));
  });

const jobOf = ({ id }: TestUser) => `notifications ${id}`;
async function waiting(user: TestUser): Promise<{ id: string; seconds: number }[]> {
  const { rows } = await service.pool.query(
    `select id, extract(epoch from run_at - now())::int as seconds from graphile_worker.jobs where key = $1`,
    [jobOf(user)],
  );
  return rows;
}

/** Acts as if the quarter of an hour were over. */
async function pass(user: TestUser): Promise<void> {
  await service.pool.query('select graphile_worker.reschedule_jobs(array[$1::bigint], now())', [
    (await waiting(user))[0]?.id,
  ]);
  await waitFor('the job is done', async () => (await waiting(user)).length === 0);
}
const mailsTo = ({ email }: TestUser) => mails.received.filter(({ to }) => to === email).map(({ mail }) => mail);

describe('unread notifications', () => {
  test('of a quarter of an hour are sent as one mail, which says how to turn them off, and none is mailed twice', async () => {
    const user = await member();
    await mention(user, 'First & <foremost>');
    await mention(user, 'Second');
    const [job, ...others] = await waiting(user);
    expect(others).toEqual([]);
    expect(job?.seconds).toBeGreaterThan(800);
    await pass(user);
    const mail = await waitFor('the mail', () => mailsTo(user)[0]);
    expect(mail.subject).toBe('2 notifications');
    expect(mail.text).toContain('Loom <1> – Ada mentioned you in /main.ts, line 3: “First & <foremost>”');
    expect(mail.html).toContain('“First &amp; &lt;foremost&gt;”');
    expect(mail.text).toContain(`${service.url}/notifications`);
    expect(mail.text).toContain(`${service.url}/settings/profile`);
    await mention(user, 'Third');
    await pass(user);
    const [, next] = await waitFor('the next mail', () => mailsTo(user).length === 2 && mailsTo(user));
    expect(next?.text).toContain('Third');
    expect(next?.text).not.toContain('Second');
  });

  test('are not mailed if the user has read them, lost the right to them, or turned mails off', async () => {
    const [reader, leaver, silent] = [await member(), await member(), await member()];
    for (const user of [reader, leaver, silent]) await mention(user, 'x');
    await ask(service, reader, ['POST', '/notifications/read', { all: true }]);
    await service.db.deleteFrom('collaborators').where('user_id', '=', leaver.id).execute();
    await ask(service, silent, ['PATCH', '/user', { preferences: { notifications: { email: false } } }]);
    for (const user of [reader, leaver, silent]) await pass(user);
    await mention(silent, 'y');
    expect(await waiting(silent)).toEqual([]);
    const last = await member();
    await mention(last, 'z');
    await pass(last);
    await waitFor('a later mail', () => mailsTo(last).length > 0);
    for (const user of [reader, leaver, silent]) expect(mailsTo(user)).toEqual([]);
  });
});
