import { join } from 'node:path';
import { isOpen } from '../../src/testing/parts/is-open.ts';
import { waitFor } from '../../src/testing/parts/wait-for.ts';
import { type Program, program } from './program.ts';

export type Redis = Program & { url: string };

/** It stores nothing on disk, which docs/operating.md allows. */
export function prepareRedis(dir: string, port: number): Redis {
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir];
  const server = program({
    name: 'Redis',
    command: { file: 'redis-server', args: ['--port', String(port), ...settings] },
    log: join(dir, 'redis.log'),
    ready: (hasEnded) => waitFor('Redis listens', async () => hasEnded() || isOpen('127.0.0.1', port)),
  });
  return { ...server, url: `redis://127.0.0.1:${port}` };
}
