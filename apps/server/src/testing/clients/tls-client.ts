import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { Agent, request } from 'undici';

/** The address that names resolve to in these tests, and the CA that clients trust. */
export type Way = { ca: string; port: number; address?: string };

/** A client on one connection, which it keeps open. It checks the certificate as browsers do. */
export function tlsClient({ ca, port, address = '127.0.0.1' }: Way) {
  const agent = new Agent({
    connections: 1,
    connect: { ca, lookup: (_name, _options, done) => done(null, [{ address, family: 4 }]) },
  });
  return {
    async get(name: string, path: string, headers: Record<string, string> = {}) {
      const answer = await request(`https://${name}:${port}${path}`, { dispatcher: agent, headers });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    },
    async put(name: string, path: string, options: { headers: Record<string, string>; body: string }) {
      const answer = await request(`https://${name}:${port}${path}`, { dispatcher: agent, method: 'PUT', ...options });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    close: () => agent.destroy(),
  };
}

/** Makes only a handshake: returns the certificate, or the reason for the failure. */
export async function shakeHands(
  { ca, port, address = '127.0.0.1' }: Way,
  servername: string,
  options: ConnectionOptions = {},
): Promise<{ socket: TLSSocket; certificate: X509Certificate }> {
  const socket = connect({ host: address, port, servername, ca, ...options });
  await once(socket, 'secureConnect');
  return { socket, certificate: new X509Certificate(socket.getPeerCertificate().raw) };
}
