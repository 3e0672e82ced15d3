import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { malformed } from '../../foundation/http/index.ts';
import { type Fetches, feedGit, type GitProgram, startGit, tellsOfDamage } from '../cache/index.ts';

export type Protocol = { version: string | undefined };

/** The environment of git. GIT_PROTOCOL selects the version of the protocol. A value of any other form is dropped. */
export function environmentOf({ version }: Protocol): Record<string, string> {
  return version !== undefined && /^[a-z0-9=:.-]{1,100}$/i.test(version) ? { GIT_PROTOCOL: version } : {};
}

/** In version 2, the first response says what git can do, which is the same for all repositories. */
const capabilities = new WeakMap<GitProgram, Buffer>();

/** The references, or the capabilities for version 2. */
export function advertiseForFetch(
  { git, caches }: Omit<Fetches, 'slots'>,
  projectId: string,
  protocol: Protocol,
): Promise<Buffer> {
  const isAlwaysSame = protocol.version === 'version=2';
  // The cache is prepared even if the response is already known. If that fails, it must be in this first request,
  // because git's client shows the reason for a failure only then.
  return caches.withCache(projectId, async (directory) => {
    const known = isAlwaysSame && capabilities.get(git);
    if (known) return known;
    const chunks: Buffer[] = [];
    await feedGit(git, ['upload-pack', '--stateless-rpc', '--advertise-refs', directory], {
      environment: environmentOf(protocol),
      output: (chunk) => chunks.push(chunk),
    });
    const answer = Buffer.concat(chunks);
    if (isAlwaysSame) capabilities.set(git, answer);
    return answer;
  });
}

type FetchRequest = { projectId: string; body: Readable; protocol: Protocol; signal: AbortSignal };

/**
 * Runs one step of a clone or fetch. `send` gets git's response as a stream. The repository stays in the cache until
 * the whole response is sent or the client has disconnected.
 */
export function serveFetch(
  { git, caches }: Fetches,
  { projectId, body, protocol, signal }: FetchRequest,
  send: (answer: Readable) => void,
): Promise<void> {
  return caches.withCache(projectId, async (directory) => {
    const environment = environmentOf(protocol);
    const process = await startGit(git, ['upload-pack', '--stateless-rpc', '--strict', directory], {
      environment,
      signal,
    });
    let broken: Error | null = null;
    body.once('error', (error) => {
      broken = error;
      process.kill();
    });
    body.pipe(process.stdin);
    const begun = await Promise.race([
      once(process.stdout, 'readable').then(() => process.stdout.readableLength > 0),
      process.ended.then(() => false),
    ]);
    if (begun) send(process.stdout);
    const { ok, words } = await process.ended;
    if (!ok && tellsOfDamage(words)) caches.distrust(projectId);
    if (!begun && !ok && !signal.aborted) throw broken ?? malformed('Git could not read the request');
    if (!begun) send(process.stdout);
  });
}
