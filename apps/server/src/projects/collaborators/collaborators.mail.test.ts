import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { ask, invite } from '../../testing/samples/sample-collaborators.ts';
import { createProject } from '../../testing/samples/sample-projects.ts';
import { startTestService, type TestService, type TestUser } from '../../testing/service/test-service.ts';

const received: { to: string[]; mail: Email }[] = [];
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', async () => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      received.push({ to, mail: await PostalMime.parse(Buffer.concat(chunks)) });
      done();
    });
  },
});

let logged = '';
let mailing: TestService;
let silent: TestService;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const withMail = await startTestService({ settings: { BOTTEGA_SMTP_URL: url } });
  const without = await startTestService({
    settings: { BOTTEGA_INVITATION_DAYS: '2' },
    logTo: { write: (line) => (logged += line) },
  });
  closers.push(withMail.close, without.close, () => new Promise<void>((done) => server.close(() => done())));
  [mailing, silent] = [withMail.running, without.running];
});
afterAll(async () => {
  for (const close of closers) await close();
});

const mailTo = (address: string, count = 1) =>
  waitFor(`a mail to ${address}`, () => {
    const mails = received.filter(({ to }) => to.includes(address));
    return mails.length >= count && mails[count - 1]?.mail;
  });

async function sample(service: TestService): Promise<{ owner: TestUser; projectId: string }> {
  const owner = await service.createUser({ name: 'Owner <b>' });
  return { owner, projectId: (await createProject(service, owner, { name: 'Loom & Co' })).id };
}

describe('with a mail server', () => {
  test('an invitation arrives with its role, its message and a link that works, and the inviter gets no link', async () => {
    const { owner, projectId } = await sample(mailing);
    const guest = await mailing.createUser({ name: 'Ada' });
    const sent = await invite(mailing, owner, projectId, {
      email: guest.email,
      role: 'editor',
      message: 'Come & see\n<script>',
    });
    expect(sent.invitation_url).toBeNull();
    const mail = await mailTo(guest.email);
    expect(mail.subject).toBe('Owner <b> invites you to Loom & Co');
    expect(mail.text).toContain('Hello Ada,');
    expect(mail.text).toContain('as an editor (read, write, comment)');
    expect(mail.text).toContain('Come & see\n<script>');
    expect(mail.html).toContain('Come &amp; see<br>&lt;script&gt;');
    expect(mail.text).toContain(`until ${sent.expires_at?.slice(0, 10)}`);
    const link = /http\S+\/invitations\/\S+/.exec(mail.text ?? '')?.[0] ?? '';
    expect(link).toMatch(new RegExp(`^${mailing.url}/invitations/[\\w-]{43}$`));
    const path = new URL(link).pathname;
    expect((await ask(mailing, guest, ['POST', `${path}/accept`])).status).toBe(200);
  });

  test('a resend mails a new link', async () => {
    const { owner, projectId } = await sample(mailing);
    const { id } = await invite(mailing, owner, projectId, { email: 'again@example.com' });
    const first = await mailTo('again@example.com');
    await ask(mailing, owner, ['POST', `/projects/${projectId}/collaborators/${id}/resend`]);
    const second = await mailTo('again@example.com', 2);
    expect(second.text).not.toBe(first.text);
  });

  test('a user who wants no mails gets none but finds the invitation in their list, and the inviter does not learn of it', async () => {
    const { owner, projectId } = await sample(mailing);
    const quiet = await mailing.createUser();
    await ask(mailing, quiet, ['PATCH', '/user', { preferences: { notifications: { email: false } } }]);
    const sent = await invite(mailing, owner, projectId, { email: quiet.email });
    expect(sent.invitation_url).toBeNull();
    await ask(mailing, owner, ['POST', `/projects/${projectId}/transfer`, { email: quiet.email }]);
    await invite(mailing, owner, projectId, { email: 'after@example.com' });
    await mailTo('after@example.com');
    expect(received.filter(({ to }) => to.includes(quiet.email))).toEqual([]);
    const { body } = await ask<{ data: unknown[] }>(mailing, quiet, ['GET', '/user/invitations']);
    expect(body.data).toMatchObject([{ id: sent.id }]);
  });

  test('a refused invitation is not mailed', async () => {
    const { owner, projectId } = await sample(mailing);
    await ask(mailing, owner, ['POST', `/projects/${projectId}/collaborators`, { email: owner.email }]);
    await invite(mailing, owner, projectId, { email: 'next@example.com' });
    await mailTo('next@example.com');
    expect(received.filter(({ to }) => to.includes(owner.email))).toEqual([]);
  });

  test('an offer to transfer a project is mailed to its recipient', async () => {
    const { owner, projectId } = await sample(mailing);
    const heir = await mailing.createUser();
    await ask(mailing, owner, ['POST', `/projects/${projectId}/transfer`, { email: heir.email }]);
    const mail = await mailTo(heir.email);
    expect(mail.subject).toBe('Owner <b> offers you the project Loom & Co');
    expect(mail.text).toContain(`${mailing.url}/invitations`);
  });
});

test('without a mail server, the link is in the answer and in the log, and expires after the configured days', async () => {
  const { owner, projectId } = await sample(silent);
  const {
    invitation_url: url,
    invited_at,
    expires_at,
  } = await invite(silent, owner, projectId, { email: 'guest@example.com' });
  expect(url).toMatch(/\/invitations\/[\w-]{43}$/);
  expect((Date.parse(expires_at ?? '') - Date.parse(invited_at)) / 86_400_000).toBeCloseTo(2, 2);
  await waitFor('the line', () => logged.includes(url ?? '-'));
});
