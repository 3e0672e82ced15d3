import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { childEnvironment } from './child-environment.ts';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

export const gatewayKeys = { AWS_ACCESS_KEY_ID: 'some-key', AWS_SECRET_ACCESS_KEY: 'some-secret' };

type Gateway = { endpoint: string; stop(): void };

/** A real S3 server, Versity's gateway, with one bucket, `kept`, that is a folder of this directory. */
export async function startS3Gateway(directory: string): Promise<Gateway> {
  mkdirSync(join(directory, 'kept'));
  const address = `127.0.0.1:${await freePort()}`;
  const keys = ['--access', gatewayKeys.AWS_ACCESS_KEY_ID, '--secret', gatewayKeys.AWS_SECRET_ACCESS_KEY];
  const gateway = spawn('versitygw', [...keys, '--port', address, 'posix', directory], {
    env: childEnvironment(),
    stdio: 'ignore',
  });
  const endpoint = `http://${address}`;
  await waitFor('the gateway answers', () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  return { endpoint, stop: () => void gateway.kill() };
}

/** One gateway for the tests of a file. */
export function useS3Gateway(): { endpoint: string } {
  const directory = mkdtempSync(join(tmpdir(), 'bottega-gateway-'));
  const running = { endpoint: '' };
  let gateway: Gateway | undefined;
  beforeAll(async () => {
    gateway = await startS3Gateway(directory);
    running.endpoint = gateway.endpoint;
  });
  afterAll(() => {
    gateway?.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return running;
}
