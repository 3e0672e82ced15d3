import { setTimeout as delay } from 'node:timers/promises';
import { AcmeError, type Answer, type Session } from './session.ts';
import { certificateRequest, newKey } from './x509.ts';

export type Issued = { chain: string; key: string };

type Problem = { detail?: string };
type Order = { status: string; authorizations: string[]; finalize: string; certificate?: string; error?: Problem };
type Challenge = { type: string; url: string; token: string; error?: Problem };
type Authorization = { status: string; challenges: Challenge[] };

type Wanted = {
  name: string;
  /** The renewal id of the certificate that this order replaces. */
  replaces: string | null;
  /** Publishes the key authorization on all nodes, since the authority may connect to any of them. */
  show(keyAuthorization: string): Promise<void>;
  signal: AbortSignal;
};

const longestMs = 120_000;
const pauseMs = 1_000;
const longestPauseMs = 15_000;
const alreadyReplaced = 'urn:ietf:params:acme:error:alreadyReplaced';

/**
 * Orders a certificate for one name (RFC 8555, section 7.4), proves the name by TLS-ALPN-01 and downloads the result.
 */
export async function orderCertificate(session: Session, wanted: Wanted): Promise<Issued> {
  const { name, signal } = wanted;
  const begun = await placeOrder(session, wanted);
  for (const url of begun.body.authorizations) await prove(session, url, wanted);
  const isOver = ({ status }: Order) => status !== 'pending' && status !== 'processing';
  const ready = await until<Order>(session, begun.location, isOver, signal);
  mustBe(ready, 'ready');
  const key = newKey();
  const csr = certificateRequest(name, key).toString('base64url');
  await session.post(ready.finalize, { csr });
  const done = await until<Order>(
    session,
    begun.location,
    ({ status }) => status !== 'ready' && status !== 'processing',
    signal,
  );
  mustBe(done, 'valid');
  const { body: chain } = await session.read<string>(done.certificate ?? '');
  return { chain, key: key.export({ type: 'pkcs8', format: 'pem' }) as string };
}

async function placeOrder(session: Session, { name, replaces }: Wanted): Promise<Answer<Order>> {
  const order = { identifiers: [{ type: 'dns', value: name }] };
  const place = (extra: object) => session.post<Order>(session.directory.newOrder, { ...order, ...extra });
  if (replaces === null) return place({});
  return place({ replaces }).catch((error: unknown) => {
    if (error instanceof AcmeError && error.type === alreadyReplaced) return place({});
    throw error;
  });
}

async function prove(session: Session, url: string, { show, signal }: Wanted): Promise<void> {
  const { body: asked } = await session.read<Authorization>(url);
  // The authority remembers an earlier proof.
  if (asked.status === 'valid') return;
  const challenge = asked.challenges.find(({ type }) => type === 'tls-alpn-01');
  if (!challenge) throw new AcmeError('challenge', 'the authority does not offer the tls-alpn-01 challenge');
  await show(`${challenge.token}.${session.thumbprint}`);
  await session.post(challenge.url, {});
  const judged = await until<Authorization>(session, url, ({ status }) => status !== 'pending', signal);
  if (judged.status === 'valid') return;
  const reason = judged.challenges.find(({ error }) => error)?.error?.detail;
  throw new AcmeError('validation', reason ?? `the authority reports the challenge as ${judged.status}`);
}

/** Polls at the interval that the authority asks for. */
async function until<Body>(
  session: Session,
  url: string,
  isDone: (body: Body) => boolean,
  signal: AbortSignal,
): Promise<Body> {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const { body, retryAfterMs } = await session.read<Body>(url);
    if (isDone(body)) return body;
    if (Date.now() > deadline) throw new AcmeError('late', 'the authority did not decide within two minutes');
    await delay(Math.min(longestPauseMs, retryAfterMs ?? pauseMs), undefined, { signal });
  }
}

function mustBe(order: Order, status: string): void {
  if (order.status === status) return;
  throw new AcmeError('order', order.error?.detail ?? `the authority reports the order as ${order.status}`);
}
