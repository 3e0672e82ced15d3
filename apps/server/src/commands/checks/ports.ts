import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../foundation/config/index.ts';
import { broken, type Check, ok } from './check.ts';

/** Opened for a moment, unless Bottega itself has them. */
export async function checkPorts({ host, port, apps }: Config): Promise<Check[]> {
  const own = await checkPort('port', { host, port, setting: 'PORT' });
  const isRunning = own.status === 'broken' && (await answers(host, port));
  if (isRunning) return [ok('port', `Bottega answers at port ${port}`)];
  return [own, await checkPort('apps port', { host, port: apps.port, setting: 'BOTTEGA_APPS_PORT' })];
}

type Port = { host: string; port: number; setting: string };

async function checkPort(name: string, { host, port, setting }: Port): Promise<Check> {
  if (port === 0) return ok(name, 'any free one');
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(name, `${port} is free on ${host}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return broken(name, `${port} on ${host} cannot be opened: ${code}`, `Set ${setting} to another one.`);
  } finally {
    server.close();
  }
}

async function answers(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}/healthz`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  return answer?.ok === true && (await answer.text()) === '{"status":"ok"}';
}
