import { pageBrowser } from '../../apps/server/src/testing/clients/page-browser.ts';
import { goodClaims, signJwt } from '../../apps/server/src/testing/clients/service-jwt.ts';
import { authorizeUrl, exchange, registerApp } from '../../apps/server/src/testing/samples/oauth-tokens.ts';
import { type Figures, load, measure, medianOf, type Target } from './measure.ts';
import type { Row } from './report.ts';
import type { Seeded, SeededUser } from './seed.ts';

type Context = { bottega: string; bare: string; seeded: Seeded; seconds: number };

const parallel = 50;
const connections = 16;

/** The cost of each kind of credential, and the effect of fifty concurrent sign-ins on everybody else. */
export async function measureSignIn({ bottega, bare, seeded, seconds }: Context): Promise<Row[]> {
  const { small } = seeded;
  const credentials: [string, Record<string, string>][] = [
    ['an API key', { authorization: `Bearer ${small.key}` }],
    ["a service's JWT", { authorization: `Bearer ${await jwtOf(small)}` }],
    ["an app's access token", { authorization: `Bearer ${await accessTokenOf(bottega, small)}` }],
    ["a browser's session", { cookie: await sessionOf(bottega, small) }],
  ];
  const rows: Row[] = [];
  for (const [kind, headers] of credentials) {
    const measured = await measure({ url: `${bottega}/v1/user`, headers }, { url: `${bare}/user` }, seconds);
    rows.push({
      what: `GET /user by ${kind}`,
      against: 'bare handler, nobody asked, same query',
      goal: '',
      ...measured,
    });
  }
  const reader = { url: `${bottega}/v1/projects/${seeded.project}`, headers: credentials[0]?.[1] ?? {} };
  rows.push(await whileSigningIn(bottega, reader, seconds));
  return rows;
}

/** The ratio of the slowest hundredth, which readers notice. */
async function whileSigningIn(bottega: string, reader: Target, seconds: number): Promise<Row> {
  const rounds: { ours: Figures; other: Figures }[] = [];
  for (let round = 0; round < 3; round++) {
    const other = await load(reader, seconds, connections);
    const stopped = new AbortController();
    const attempts = Array.from({ length: parallel }, (_, index) => keepSigningIn(bottega, index, stopped.signal));
    const ours = await load(reader, seconds, connections);
    stopped.abort();
    await Promise.all(attempts);
    rounds.push({ ours, other });
  }
  const ratioOf = ({ ours, other }: (typeof rounds)[number]) => other.p99 / ours.p99;
  const middle = medianOf(rounds, ratioOf);
  process.stdout.write(`  reading while ${parallel} sign in: ${ratioOf(middle).toFixed(2)}\n`);
  return {
    what: `GET /projects/{id} while ${parallel} sign in at once`,
    against: 'the same alone; ratio of p99',
    goal: '≥ 0.5',
    ...middle,
    ratio: ratioOf(middle),
  };
}

/** Each uses its own address and account, so that every attempt costs a hash. */
async function keepSigningIn(bottega: string, index: number, stop: AbortSignal): Promise<void> {
  for (let attempt = 0; !stop.aborted; attempt++) {
    await fetch(`${bottega}/v1/auth/sign-in`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${index}.${attempt >> 8}.${attempt & 255}`,
      },
      body: JSON.stringify({ email: `nobody-${index}-${attempt}@example.com`, password: 'a wrong guess' }),
    }).then((answer) => answer.arrayBuffer());
  }
}

export async function sessionOf(bottega: string, { email, password }: SeededUser): Promise<string> {
  const answer = await fetch(`${bottega}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** Goes through the pages, as a user authorises an app. */
async function accessTokenOf(bottega: string, user: SeededUser): Promise<string> {
  const browser = pageBrowser(bottega);
  const app = await registerApp({ url: bottega }, user);
  const page = await browser.open(authorizeUrl({ url: bottega }, app, { scope: 'read:user' }));
  const consent = await browser.press(page, 'sign-in', { email: user.email, password: user.password });
  const back = new URL((await browser.press(consent, 'allow')).url);
  const { body } = await exchange({ url: bottega }, app, { code: back.searchParams.get('code') ?? '' });
  return String(body.access_token);
}

function jwtOf({ id, issuer, secret }: SeededUser): Promise<string> {
  return signJwt({ secret, claims: goodClaims({ issuer, userId: id, audience: 'bottega' }) });
}
