import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { waitFor } from './wait-for.ts';

export type MailServer = {
  url: string;
  received: { to: string; mail: Email }[];
  /** The token in the newest mail to this address with this subject; waits for the mail. */
  tokenFor(to: string, subject: string): Promise<string>;
  close(): Promise<void>;
};

/** A real mail server that stores all mails. */
export async function startMailServer(): Promise<MailServer> {
  const received: MailServer['received'] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        received.push({ to: session.envelope.rcptTo[0]?.address ?? '', mail });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    tokenFor: (to, subject) =>
      waitFor(`the mail "${subject}" to ${to}`, () => {
        const found = received.findLast((one) => one.to === to && one.mail.subject === subject);
        return /#token=([\w-]+)/.exec(found?.mail.text ?? '')?.[1];
      }),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
