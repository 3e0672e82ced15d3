// @ts-check
import { chmod, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lstatOf, readFileOf } from './disk-files.mjs';
import { changedSince, rememberChanges } from './last-changes.mjs';
import { createParcelReader, encodeParcel } from './parcels.mjs';
import { createWatchedFiles } from './watched-files.mjs';

/**
 * @typedef {import('./channels.mjs').Channel} Channel
 * @typedef {{ sha: string, exec: boolean }} Known
 * @typedef {(head: unknown, body?: Uint8Array) => void} Send
 */

/** Lists of files may be larger than a file may be. */
const minBody = 4 * 2 ** 20;

/**
 * Keeps the service informed of files that git would track, and writes what the service sends. `known` is what both
 * sides agree on, so an echo is recognised by its content.
 * @param {string} root
 * @param {Channel} channel
 */
export function startSync(root, channel) {
  const { max_bytes: maxBytes } = channel.request;
  /** @type {Map<string, Known>} */
  const known = new Map();
  /** @type {Send} */
  const send = (head, body) => void channel.write(encodeParcel(head, body));
  const files = createWatchedFiles(root, {
    isKnown: (path) => known.has(path),
    knownBelow: (path) => [...known.keys()].filter((one) => one.startsWith(`${path}/`)),
    changed: (path) => reportFile({ root, known, send, maxBytes }, path),
    settled: () => send({ type: 'settled' }),
  });
  const writes = createWrites({ root, known, send, maxBytes, touch: files.touch });
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();

  const receive = createParcelReader(Math.max(maxBytes, minBody), (head, body) => {
    const failed = (/** @type {Error} */ error) => send({ type: 'failed', path: head.path, message: error.message });
    if (head.type === 'known') for (const [path, sha, exec] of JSON.parse(`${body}`)) known.set(path, { sha, exec });
    else if (head.type === 'begin') {
      files.begin(head.scan ? changedSince(root, known) : []);
      send({ type: 'ready' });
    } else if (head.type === 'put') queue = queue.then(() => writes.put(head, body)).catch(failed);
    else if (head.type === 'remove') queue = queue.then(() => writes.remove(head)).catch(failed);
    else if (head.type === 'flush' || head.type === 'remember') {
      // Everything that was written before this message is reported before its answer.
      queue = queue.then(async () => {
        const begunAt = Date.now();
        await files.flush();
        if (head.type === 'remember') rememberChanges(root, known, begunAt);
        send({ type: 'flushed', number: head.number });
      });
    }
  });
  channel.on('data', receive);
  channel.on('close', files.close);
}

/** @typedef {{ root: string, known: Map<string, Known>, send: Send, maxBytes: number }} Parts */

/** @param {Parts} parts @param {string} path */
function reportFile({ root, known, send, maxBytes }, path) {
  const now = readFileOf(root, path, maxBytes);
  const before = known.get(path);
  if (!now) {
    const stats = lstatOf(join(root, path));
    if (stats?.isFile() && stats.size > maxBytes) send({ type: 'large', path, size: stats.size });
    else if (known.delete(path)) send({ type: 'gone', path });
  } else if (before?.sha !== now.sha || before.exec !== now.exec) {
    known.set(path, { sha: now.sha, exec: now.exec });
    send({ type: 'file', path, sha: now.sha, exec: now.exec }, now.content);
  }
}

/**
 * Writes what the service sends, unless the disk has something that the service does not know.
 * @param {Parts & { touch(path: string): void }} parts
 */
function createWrites({ root, known, send, maxBytes, touch }) {
  let number = 0;
  /** @param {string} path */
  const shaOf = (path) => readFileOf(root, path, maxBytes)?.sha ?? null;
  /** @param {string} path */
  const refuse = (path) => {
    touch(path);
    send({ type: 'refused', path });
  };

  return {
    /** @param {any} head @param {Buffer} body */
    async put({ path, sha, exec, expect }, body) {
      const full = join(root, path);
      const before = readFileOf(root, path, maxBytes);
      if (before?.sha !== sha || before?.exec !== exec) {
        if ((before?.sha ?? null) !== expect || lstatOf(full)?.isDirectory()) return refuse(path);
        number += 1;
        const draft = join(root, `.bottega-${process.pid}-${number}`);
        await mkdir(dirname(full), { recursive: true });
        await writeFile(draft, body);
        await chmod(draft, exec ? 0o755 : 0o644);
        // As late as possible: nothing happens between this check and the rename.
        if (shaOf(path) !== expect) {
          await rm(draft, { force: true });
          return refuse(path);
        }
        known.set(path, { sha, exec });
        await rename(draft, full);
      }
      known.set(path, { sha, exec });
      send({ type: 'written', path, sha });
    },
    /** @param {any} head */
    async remove({ path, expect }) {
      const before = shaOf(path);
      if (before !== null && before !== expect) return refuse(path);
      known.delete(path);
      await rm(join(root, path), { force: true });
      // git has no empty directories.
      for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
        const isEmpty = await rmdir(join(root, parent)).then(
          () => true,
          () => false,
        );
        if (!isEmpty) break;
      }
      send({ type: 'written', path, sha: null });
    },
  };
}
