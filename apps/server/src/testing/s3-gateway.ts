import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { childEnvironment } from './child-environment.ts';
import { freePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

export const gatewayKeys = { AWS_ACCESS_KEY_ID: 'some-key', AWS_SECRET_ACCESS_KEY: 'some-secret' };

/** A real S3 server, Versity's gateway, with one bucket, `kept`. */
export function useS3Gateway(): { endpoint: string } {
  const directory = mkdtempSync(join(tmpdir(), 'bottega-gateway-'));
  const running = { endpoint: '' };
  let stop = () => undefined as unknown;
  beforeAll(async () => {
    mkdirSync(join(directory, 'kept'));
    const address = `127.0.0.1:${await freePort()}`;
    const keys = ['--access', gatewayKeys.AWS_ACCESS_KEY_ID, '--secret', gatewayKeys.AWS_SECRET_ACCESS_KEY];
    const gateway = spawn('versitygw', [...keys, '--port', address, 'posix', directory], {
      env: childEnvironment(),
      stdio: 'ignore',
    });
    stop = () => gateway.kill();
    running.endpoint = `http://${address}`;
    await waitFor('the gateway answers', () =>
      fetch(running.endpoint).then(
        () => true,
        () => false,
      ),
    );
  });
  afterAll(() => {
    stop();
    rmSync(directory, { recursive: true, force: true });
  });
  return running;
}
