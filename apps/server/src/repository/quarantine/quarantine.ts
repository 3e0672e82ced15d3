import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isAlive } from '../../foundation/processes/is-alive.ts';
import {
  createBareRepository,
  feedGit,
  GitError,
  type GitProgram,
  tellsOfDamage,
  tellsOfLimit,
} from '../cache/index.ts';
import { inMebibytes, type PushLimits } from './limits.ts';
import { PushRefused } from './push-refused.ts';

/** Distinguishes this process from an earlier one with the same process id, as in a container. */
const token = randomBytes(4).toString('hex');
let made = 0;

/**
 * A directory for received objects that are not accepted yet. It is deleted when the work ends in any way. Directories
 * of killed processes are deleted at the next use.
 */
export async function withQuarantine<Result>(
  root: string,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  await removeLeftovers(root);
  const directory = join(root, `${process.pid}-${token}-${++made}`);
  try {
    await mkdir(directory);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Makes the directory a repository without references, which borrows the objects of these caches. */
export async function borrowObjects(caches: readonly string[], directory: string): Promise<void> {
  await createBareRepository(directory);
  const lines = caches.map((cache) => `${join(cache, 'objects')}\n`);
  await writeFile(join(directory, 'objects/info/alternates'), lines.join(''));
}

/** Makes the directory a repository that borrows the cache's objects. New commits may also refer to those of `others`. */
export async function borrowFrom(cache: string, directory: string, others: readonly string[] = []): Promise<void> {
  await borrowObjects([cache, ...others], directory);
  // The current references to those objects. Everything that they reach need not be stored again.
  await copyFile(join(cache, 'packed-refs'), join(directory, 'packed-refs'));
}

/** The file that collects a pack until it is complete, so that no git process waits for a slow client. */
const spooled = (directory: string): string => join(directory, 'incoming.pack');

/**
 * `left` is the storage that the owner's plan still allows. A larger pack is refused before it has arrived completely.
 */
export function spoolPack(
  directory: string,
  pack: AsyncIterable<Buffer>,
  limits: PushLimits,
  left: number | null = null,
): Promise<void> {
  const max = left === null ? Number.POSITIVE_INFINITY : left + storedAlready;
  return pipeline(withinPlan(withinLimits(pack, limits), max), createWriteStream(spooled(directory)));
}

/**
 * Extra bytes that a pack may have beyond the plan, because it may contain objects that are already stored and cost
 * nothing.
 */
const storedAlready = 4 * 1024 * 1024;

async function* withinPlan(pack: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of pack) {
    bytes += chunk.length;
    if (bytes > max) {
      const left = inMebibytes(max - storedAlready);
      throw new PushRefused('it exceeds the remaining storage of the plan', [
        `The project owner's plan has ${left} of storage left. Push less, or delete something first.`,
      ]);
    }
    yield chunk;
  }
}

async function removeLeftovers(root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    const [pid, owner] = name.split('-');
    if (owner === token || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue;
    await rm(join(root, name), { recursive: true, force: true });
  }
}

/** Defects of real histories that every git tolerates. */
const tolerated = ['badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedFilemode']
  .map((fault) => `${fault}=ignore`)
  .join(',');

/** Indexes a pack: resolves deltas, completes thin packs from the cache, and checks every object as `git fsck` does. */
export async function receivePack(git: GitProgram, directory: string, limits: PushLimits): Promise<void> {
  const args = ['index-pack', '--stdin', `--strict=${tolerated}`, '--fix-thin', `--max-input-size=${limits.pack}`];
  try {
    await feedGit(git, [`--git-dir=${directory}`, ...args], { input: createReadStream(spooled(directory)) });
  } catch (error) {
    if (!(error instanceof GitError) || tellsOfDamage(error.message) || tellsOfLimit(error.message)) throw error;
    const faults = error.message.split('\n').filter((line) => /^(error|fatal): /.test(line));
    throw new PushRefused('the pack is corrupt', faults.slice(0, 10));
  } finally {
    await rm(spooled(directory), { force: true });
  }
}

const headerBytes = 12;

/**
 * Checks the limits while the pack is read. The number of objects is in the pack's header, so it is checked before any
 * object has been read.
 */
async function* withinLimits(pack: AsyncIterable<Buffer>, limits: PushLimits): AsyncGenerator<Buffer> {
  let header = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of pack) {
    bytes += chunk.length;
    if (bytes > limits.pack) {
      throw new PushRefused(`the pack is larger than ${inMebibytes(limits.pack)}`, [
        `A push can have at most ${inMebibytes(limits.pack)}. Push fewer commits at a time, or leave out large files.`,
      ]);
    }
    if (header.length < headerBytes) {
      header = Buffer.concat([header, chunk.subarray(0, headerBytes - header.length)]);
      if (header.length === headerBytes && header.readUInt32BE(8) > limits.objects) {
        throw new PushRefused(`more than ${limits.objects} objects in one push`, [
          `A push can have at most ${limits.objects} objects. Push fewer commits at a time.`,
        ]);
      }
    }
    yield chunk;
  }
}
