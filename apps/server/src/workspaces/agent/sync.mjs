// @ts-check
import { renameSync } from 'node:fs';
import { chmod, mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lstatOf, readFileOf } from './disk-files.mjs';
import { commitsOf, headOf } from './git-state.mjs';
import { createKnownFiles } from './known-files.mjs';
import { changedSince, rememberChanges } from './last-changes.mjs';
import { createParcelReader, encodeParcel } from './parcels.mjs';
import { createWatchedFiles } from './watched-files.mjs';

/**
 * @typedef {import('./channels.mjs').Channel} Channel
 * @typedef {import('./known-files.mjs').KnownFiles} KnownFiles
 * @typedef {(head: unknown, body?: Uint8Array) => void} Send
 */

/** The least body size that must be accepted, because lists of files may be larger than a single file may be. */
const minBody = 4 * 2 ** 20;

/**
 * Reports changes of files that git would track to the service, and writes files that the service sends. `known` has
 * the files on which both sides agree, so a write of the service that is seen as a change is recognised by its content.
 * @param {string} root
 * @param {Channel} channel
 */
export function startSync(root, channel) {
  const { max_bytes: maxBytes } = channel.request;
  const known = createKnownFiles();
  /** @type {Send} */
  const send = (head, body) => void channel.write(encodeParcel(head, body));
  const head = createHead(root, channel.request.branch, send);
  const files = createWatchedFiles(root, {
    mayReport: head.isHere,
    isKnown: (path) => known.has(path),
    knownBelow: known.below,
    changed: (path) => reportFile({ root, known, send, maxBytes }, path),
    settled: () => send({ type: 'settled' }),
  });
  const writes = createWrites({
    ...{ root, known, send, maxBytes, touch: files.touch },
    isClosed: () => files.isGitAtWork() || !head.isHere(),
  });
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();

  const receive = createParcelReader(Math.max(maxBytes, minBody), (parcel, body) => {
    const failed = (/** @type {Error} */ error) => send({ type: 'failed', path: parcel.path, message: error.message });
    if (parcel.type === 'known') for (const [path, sha, exec] of JSON.parse(`${body}`)) known.set(path, { sha, exec });
    else if (parcel.type === 'begin') {
      files.begin(parcel.scan ? changedSince(root, known) : []);
      send({ type: 'ready' });
    } else if (parcel.type === 'put') queue = queue.then(() => writes.put(parcel, body)).catch(failed);
    else if (parcel.type === 'remove') queue = queue.then(() => writes.remove(parcel)).catch(failed);
    else if (parcel.type === 'tell_head') void head.tell();
    else if (parcel.type === 'again') {
      // No content has this id, so the file is reported in any case, even if it is gone.
      known.set(parcel.path, { sha: '', exec: false });
      files.touch(parcel.path);
    } else if (parcel.type === 'flush' || parcel.type === 'remember') {
      // Everything that was on the disk before this message must be reported before the answer to it.
      queue = queue.then(async () => {
        const begunAt = Date.now();
        await files.flush();
        await head.told();
        // A change that could not be reported, because git is at work or HEAD is elsewhere, must be found at the next start.
        if (parcel.type === 'remember' && files.isQuiet()) rememberChanges(root, known, begunAt);
        send({ type: 'flushed', number: parcel.number });
      });
    }
  });
  channel.on('data', receive);
  channel.on('close', files.close);
}

/**
 * Watches HEAD. Files are reported for one branch only. If HEAD names another branch, the service is told, and decides
 * how to go on.
 * @param {string} root
 * @param {string} branch
 * @param {Send} send
 */
function createHead(root, branch, send) {
  /** @type {string | null | undefined} */
  let last = branch;
  /** @type {Promise<void>} */
  let telling = Promise.resolve();

  function tell() {
    const now = headOf(root);
    last = now;
    telling = telling.then(async () => {
      const isElsewhere = now !== undefined && now !== branch;
      send({ type: 'head', branch: now ?? null, isElsewhere, commits: isElsewhere ? await commitsOf(root) : [] });
    });
    return telling;
  }

  return {
    tell,
    /** Resolves once the service has been told of every change so far. */
    told: () => telling,
    /** Whether the files on the disk are those of the branch. Without a repository, they are. */
    isHere() {
      const now = headOf(root);
      if (now !== last) void tell();
      return now === undefined || now === branch;
    },
  };
}

/** @typedef {{ root: string, known: KnownFiles, send: Send, maxBytes: number }} Parts */

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
 * Writes files that the service sends, unless the disk has a change that the service does not know. Nothing is written
 * while git is at work, because git might be about to switch to another branch.
 * @param {Parts & { touch(path: string): void, isClosed(): boolean }} parts
 */
function createWrites({ root, known, send, maxBytes, touch, isClosed }) {
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
      if (isClosed()) return refuse(path);
      const full = join(root, path);
      const before = readFileOf(root, path, maxBytes);
      if (before?.sha !== sha || before?.exec !== exec) {
        if ((before?.sha ?? null) !== expect || lstatOf(full)?.isDirectory()) return refuse(path);
        number += 1;
        const draft = join(root, `.bottega-${process.pid}-${number}`);
        await mkdir(dirname(full), { recursive: true });
        await writeFile(draft, body);
        await chmod(draft, exec ? 0o755 : 0o644);
        // This check is as late as possible: nothing can happen between it and the rename.
        if (isClosed() || shaOf(path) !== expect) {
          await rm(draft, { force: true });
          return refuse(path);
        }
        known.set(path, { sha, exec });
        renameSync(draft, full);
      }
      known.set(path, { sha, exec });
      send({ type: 'written', path, sha });
    },
    /** @param {any} head */
    async remove({ path, expect }) {
      const before = shaOf(path);
      if (isClosed() || (before !== null && before !== expect)) return refuse(path);
      known.delete(path);
      await rm(join(root, path), { force: true });
      // Directories that become empty are removed, because git has no empty directories.
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
