import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../foundation/tls/self-signed.fixture.ts';
import { useCli } from '../testing/clients/cli.ts';
import { tlsClient } from '../testing/clients/tls-client.ts';
import { freePortPair } from '../testing/parts/free-port.ts';

const cli = useCli();
const pair = selfSigned(['localhost', 'bottega.test']);
let dataDir: string;
let files: { BOTTEGA_TLS_CERT: string; BOTTEGA_TLS_KEY: string };
const written = (name: string, content: string): string => {
  const path = join(dirname(dataDir), name);
  writeFileSync(path, content);
  return path;
};

beforeAll(async () => {
  dataDir = await cli.newDataDir();
  await mkdir(dirname(dataDir), { recursive: true });
  files = { BOTTEGA_TLS_CERT: written('cert.pem', pair.cert), BOTTEGA_TLS_KEY: written('key.pem', pair.key) };
});

describe('a certificate that cannot be used', () => {
  test.each([
    { what: 'is not there', given: () => ({ BOTTEGA_TLS_CERT: '/nowhere.pem' }), words: 'cannot be read (ENOENT)' },
    {
      what: 'is none',
      given: () => ({ BOTTEGA_TLS_CERT: files.BOTTEGA_TLS_KEY }),
      words: 'does not contain a certificate',
    },
    {
      what: 'has no key',
      given: () => ({ BOTTEGA_TLS_KEY: files.BOTTEGA_TLS_CERT }),
      words: 'does not contain a private key',
    },
    {
      what: 'has the key of another',
      given: () => ({ BOTTEGA_TLS_KEY: written('other.pem', selfSigned(['localhost']).key) }),
      words: 'does not match the first certificate',
    },
  ])('is reported in one line before anything is started, because it $what', async ({ given, words }) => {
    const { code, stdout, stderr } = await cli.run(['start'], { BOTTEGA_DATA_DIR: dataDir, ...files, ...given() });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^bottega: [^\n]+\n$/);
    expect(stderr).toContain(words);
  });
});

test('several processes use TLS on one port, and start and doctor describe the certificate', async () => {
  const port = await freePortPair();
  const settings = { ...files, BOTTEGA_DATA_DIR: dataDir, BOTTEGA_PROCESSES: '2', PORT: String(port) };
  const service = await cli.start(settings);
  expect(service.url).toBe(`https://localhost:${port}`);
  expect(service.stdout()).toMatch(
    /^TLS: your own certificate for localhost \(until \d{4}-\d\d-\d\d\), bottega\.test /m,
  );
  // Each on a connection of its own: the primary distributes them in turn.
  for (let count = 0; count < 4; count++) {
    const client = tlsClient({ ca: pair.cert, port });
    expect((await client.get('localhost', '/readyz')).status).toBe(200);
    await client.close();
  }
  const elsewhere = await cli.run(['doctor'], { ...settings, BOTTEGA_PUBLIC_URL: 'https://example.com' });
  expect(elsewhere.stdout).toMatch(
    /^missing {2}tls {13}The certificate in BOTTEGA_TLS_CERT does not cover example\.com$/m,
  );
  const { stdout } = await cli.run(['doctor'], settings);
  expect(stdout).toMatch(/^ok {7}tls {13}your own certificate for localhost \(until /m);
  expect(stdout).toMatch(new RegExp(`^ok {7}port {12}Bottega responds on port ${port}$`, 'm'));
  service.signal('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0 });
});
