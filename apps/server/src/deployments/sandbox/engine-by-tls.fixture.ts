import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An authority, and its certificates for an engine at 127.0.0.1 and for a client. */
async function makeCertificates(directory: string): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: directory });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca-key.pem',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=authority',
    '-days',
    '2',
  );
  await writeFile(join(directory, 'names'), 'subjectAltName=IP:127.0.0.1');
  for (const [name, prefix] of [
    ['engine', 'server-'],
    ['worker', ''],
  ]) {
    await openssl('req', ...key, '-keyout', `${prefix}key.pem`, '-out', 'request', '-subj', `/CN=${name}`);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
    await openssl('x509', '-req', '-in', 'request', ...by, '-out', `${prefix}cert.pem`);
  }
}

/** An engine's socket behind TLS with client certificates, as Docker's own with `--tlsverify`. */
export async function engineByTls({ socket }: { socket: string }) {
  const certificates = await mkdtemp(join(tmpdir(), 'bottega-certs-'));
  await makeCertificates(certificates);
  const read = (name: string) => readFile(join(certificates, name));
  const [ca, cert, key] = await Promise.all([read('ca.pem'), read('server-cert.pem'), read('server-key.pem')]);
  const server = createServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true }, (client) => {
    const engine = connect(socket);
    client.pipe(engine).pipe(client);
    for (const [one, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    socket: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    certificates,
    close() {
      server.close();
      void rm(certificates, { recursive: true, force: true });
    },
  };
}
