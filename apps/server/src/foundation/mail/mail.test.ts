import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../testing/parts/wait-for.ts';
import { useTestService } from '../../testing/service/test-service.ts';
import { secretBox } from '../crypto/secret-box.ts';
import { transaction } from '../db/transaction.ts';
import { createLogger } from '../http/watching/logging.ts';
import { createMailer, type Mailer } from './index.ts';

const service = useTestService({ role: 'api' });
const received: { to: string[]; mail: Email }[] = [];
let refusals = 0;
let logged = '';

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', async () => {
      if (refusals > 0) {
        refusals -= 1;
        return done(new Error('451 try again later'));
      }
      const to = session.envelope.rcptTo.map(({ address }) => address);
      received.push({ to, mail: await PostalMime.parse(Buffer.concat(chunks)) });
      done();
    });
  },
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
});
afterAll(() => new Promise<void>((closed) => server.close(() => closed())));
beforeEach(() => {
  received.length = 0;
  logged = '';
});

const mailer = (url: string | null = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`): Mailer =>
  createMailer({
    url,
    from: null,
    publicUrl: () => 'https://bottega.example.com',
    box: secretBox(service.secretKey, 'mail'),
    log: createLogger('info', { write: (line) => (logged += line) }),
  });

const content = {
  subject: 'A subject\r\nBcc: everyone@example.com',
  greeting: 'Hello <b>Ada</b>,',
  paragraphs: ['"Come" & see'],
  action: { label: 'Open it', url: 'https://bottega.example.com/x?a=1&b=2' },
  closing: ['It holds for 7 days.'],
};

async function waiting(): Promise<{ sealed: string }> {
  const { rows } = await service.pool.query(
    `select payload from graphile_worker._private_jobs join graphile_worker._private_tasks t on t.id = task_id
     where identifier = 'mail:send' order by _private_jobs.id desc limit 1`,
  );
  return rows[0].payload;
}

const ada = { email: 'ada@example.com', account: 'usr_ada' };

describe('a mail', () => {
  test('arrives as text and as HTML, and what a user wrote becomes neither markup nor a header', async () => {
    const post = mailer();
    await transaction(service.db, (trx) => post.send(trx, ada, content));
    await post.deliver(await waiting());
    const [{ to, mail } = { to: [], mail: null }] = received;
    expect(to).toEqual(['ada@example.com']);
    expect(mail?.from?.address).toBe('no-reply@bottega.example.com');
    expect(mail?.subject).toBe('A subject Bcc: everyone@example.com');
    expect(mail?.text).toContain('Open it:\nhttps://bottega.example.com/x?a=1&b=2');
    expect(mail?.html).toContain('Hello &lt;b&gt;Ada&lt;/b&gt;,');
    expect(mail?.html).toContain('href="https://bottega.example.com/x?a=1&amp;b=2"');
  });

  test('waits in encrypted form, and only if the change that it is about was committed', async () => {
    const before = await waiting().catch(() => null);
    await transaction(service.db, async (trx) => {
      await mailer().send(trx, ada, content);
      throw new Error('undone');
    }).catch(() => undefined);
    expect(await waiting().catch(() => null)).toEqual(before);
    await transaction(service.db, (trx) => mailer().send(trx, ada, content));
    const { sealed } = await waiting();
    expect(Buffer.from(sealed, 'base64').includes('bottega.example.com')).toBe(false);
  });

  test('that the server refuses fails the job, which tries again', async () => {
    await transaction(service.db, (trx) => mailer().send(trx, ada, content));
    refusals = 1;
    const job = await waiting();
    await expect(mailer().deliver(job)).rejects.toThrow('451');
    await mailer().deliver(job);
    expect(received).toHaveLength(1);
  });

  test('is written to the log if there is no mail server', async () => {
    const post = mailer(null);
    expect(post.isSetUp).toBe(false);
    await transaction(service.db, (trx) => post.send(trx, ada, content));
    await post.deliver(await waiting());
    await waitFor('the line', () => logged.includes('https://bottega.example.com/x?a=1&b=2'));
    expect(received).toEqual([]);
  });
});
