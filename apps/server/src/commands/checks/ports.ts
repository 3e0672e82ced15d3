import { once } from 'node:events';
import { createServer } from 'node:net';
import { Agent, request } from 'undici';
import type { Config } from '../../foundation/config/index.ts';
import { broken, type Check, ok } from './check.ts';

/** Opens the ports for a moment, unless Bottega itself already has them open. */
export async function checkPorts(config: Config): Promise<Check[]> {
  const { host, port, apps, tls } = config;
  const own = await checkPort('port', { host, port, setting: 'PORT' });
  const isRunning = own.status === 'broken' && (await answers(config));
  if (isRunning) return [ok('port', `Bottega responds on port ${port}`)];
  const others = [checkPort('apps port', { host, port: apps.port, setting: 'BOTTEGA_APPS_PORT' })];
  if (tls?.httpPort) others.push(checkPort('http port', { host, port: tls.httpPort, setting: 'BOTTEGA_HTTP_PORT' }));
  return [own, ...(await Promise.all(others))];
}

type Port = { host: string; port: number; setting: string };

async function checkPort(name: string, { host, port, setting }: Port): Promise<Check> {
  if (port === 0) return ok(name, 'any free port');
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(name, `${port} is free on ${host}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return broken(name, `${port} on ${host} cannot be opened: ${code}`, `Set ${setting} to another port.`);
  } finally {
    server.close();
  }
}

/**
 * Whether the service answers at a port. Uses the service's own host name, because its certificate may cover no other.
 * Whether the certificate is trusted is not checked.
 */
async function answers({ host, port, tls, publicUrl }: Config): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const address = `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}/healthz`;
  const servername = tls && publicUrl ? new URL(publicUrl).hostname : undefined;
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, ...(servername && { servername }) } });
  const answer = await request(address, { dispatcher, signal: AbortSignal.timeout(2_000) }).catch(() => null);
  const text = await answer?.body.text();
  await dispatcher.destroy();
  return answer?.statusCode === 200 && text === '{"status":"ok"}';
}
