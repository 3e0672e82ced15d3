import { whyNotPath } from '@bottega/contract';
import type { Channel } from '../agent/channels.mjs';
import { createParcelReader, encodeParcel } from '../agent/parcels.mjs';

/** A file of the workspace that the agent reports. Without content, the file is gone. */
export type Reported = { path: string; sha: string | null; exec: boolean; content: Buffer | null };

type Known = { path: string; sha: string; exec: boolean };

/** What the disk should have for a file. Without content, the file should be gone. */
export type Wanted = { path: string; sha: string | null; exec: boolean; content: Buffer | null };

/** What HEAD of the workspace's repository names. Without a branch, HEAD names a commit. */
export type Head = {
  branch: string | null;
  /** Whether `branch` differs from the branch of this link. As long as it does, the agent reports no files. */
  isElsewhere: boolean;
  /** The newest commits, HEAD's own first. The service may not have all of them. */
  commits: Buffer[];
};

/**
 * A connection to the files on the workspace's disk that git would track. Paths begin with a slash, as everywhere in
 * the service.
 */
export type DiskLink = {
  /** Tells the agent what the disk should have. With `scan`, the agent reports every difference. */
  begin(files: Known[], options: { scan: boolean }): Promise<void>;
  /** Writes a file if the disk still has the expected content at its path. False if it does not. */
  put(file: Wanted, expect: string | null): Promise<boolean>;
  /** Resolves once everything that was on the disk before this call is reported. */
  flush(): Promise<void>;
  /** The agent notes when each file was last changed, so that it need not read all of them at the next start. */
  remember(): Promise<void>;
  /** Asks the agent for a report of HEAD. */
  tellHead(): void;
  /** Asks for another report of a file, whether it has changed or not. */
  askAgain(path: string): void;
  /** Whether all reports have been taken. */
  isEmpty(): boolean;
  /** The reports so far, one for each file. */
  take(): Reported[];
};

type Options = {
  channel: Channel;
  maxBytes: number;
  /** Called when there are reports to take. */
  onReport(): void;
  onHead(head: Head): void;
  /** The disk has changed, whoever changed it. */
  onDisk?(change: { path: string; isGone: boolean }): void;
};

/**
 * The number of bytes that the agent may report before the reports are taken. Beyond that, the agent is slowed down.
 */
const maxReportedBytes = 16 * 2 ** 20;
/**
 * The bytes that a report counts in addition to its content. An agent may send very many reports of empty or imaginary
 * files.
 */
const costOfReport = 1_024;
/** The agent takes messages of 4 MiB at least. */
const knownAtOnce = 500;
const sha1 = /^[0-9a-f]{40}$/;

export function openDiskLink({ channel, maxBytes, onReport, onHead, onDisk }: Options): DiskLink {
  const reports = new Map<string, Reported>();
  const writes = new Map<string, (isWritten: boolean) => void>();
  const flushes = new Map<number, () => void>();
  let bytes = 0;
  let number = 0;
  const { promise: ready, resolve: isReady, reject: isGone } = Promise.withResolvers<void>();
  ready.catch(() => undefined);

  function report({ path, sha, exec, content }: Reported): void {
    // The agent is not trusted: a command in the workspace may have replaced it.
    if (whyNotPath(path) !== null) return;
    if (sha !== null && !(typeof sha === 'string' && sha1.test(sha))) return;
    const before = reports.get(path);
    bytes += (content?.length ?? 0) - (before?.content?.length ?? 0) + (before ? 0 : costOfReport);
    reports.set(path, { path, sha, exec: exec === true, content });
    onDisk?.({ path, isGone: sha === null });
    if (bytes > maxReportedBytes) channel.pause();
  }

  const read = createParcelReader(maxBytes, (head, body) => {
    const path = typeof head.path === 'string' ? `/${head.path}` : '';
    if (head.type === 'file') report({ path, sha: head.sha, exec: head.exec, content: body });
    else if (head.type === 'gone') report({ path, sha: null, exec: false, content: null });
    else if (head.type === 'settled' && reports.size > 0) onReport();
    else if (head.type === 'written' || head.type === 'refused' || head.type === 'failed') {
      writes.get(path)?.(head.type === 'written');
      writes.delete(path);
    } else if (head.type === 'flushed') {
      flushes.get(head.number)?.();
      flushes.delete(head.number);
    } else if (head.type === 'head') onHead(headOf(head));
    else if (head.type === 'ready') isReady();
  });
  channel.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      channel.destroy(error as Error);
    }
  });
  channel.on('close', () => {
    isGone(new Error('the agent has ended'));
    for (const answer of writes.values()) answer(false);
    for (const answer of flushes.values()) answer();
  });
  // The channel may have ended before the listener was added.
  if (channel.destroyed) isGone(new Error('the agent has ended'));
  const send = (head: object, body?: Buffer) => void channel.write(encodeParcel(head, body));
  const inside = (path: string) => path.slice(1);
  const numbered = (type: 'flush' | 'remember'): Promise<void> =>
    new Promise((resolve) => {
      if (channel.destroyed) return resolve();
      number += 1;
      flushes.set(number, resolve);
      send({ type, number });
    });

  return {
    async begin(files, { scan }) {
      for (let from = 0; from < files.length; from += knownAtOnce) {
        const some = files.slice(from, from + knownAtOnce);
        const list = some.map(({ path, sha, exec }) => [inside(path), sha, exec]);
        send({ type: 'known' }, Buffer.from(JSON.stringify(list)));
      }
      send({ type: 'begin', scan });
      await ready;
    },
    put: ({ path, sha, exec, content }, expect) =>
      new Promise((resolve) => {
        if (channel.destroyed) return resolve(false);
        writes.get(path)?.(false);
        writes.set(path, (isWritten) => {
          if (isWritten) onDisk?.({ path, isGone: content === null });
          resolve(isWritten);
        });
        if (content === null) send({ type: 'remove', path: inside(path), expect });
        else send({ type: 'put', path: inside(path), sha, exec, expect }, content);
      }),
    flush: () => numbered('flush'),
    remember: () => numbered('remember'),
    tellHead: () => send({ type: 'tell_head' }),
    askAgain: (path) => send({ type: 'again', path: inside(path) }),
    isEmpty: () => reports.size === 0,
    take() {
      const all = [...reports.values()];
      reports.clear();
      bytes = 0;
      channel.resume();
      return all;
    },
  };
}

const mostCommits = 200;
const longestName = 255;

/** Reads a report of HEAD. The agent may send anything. */
export function headOf({ branch, isElsewhere, commits }: Record<string, unknown>): Head {
  const isName = typeof branch === 'string' && branch.length <= longestName;
  const shas = (Array.isArray(commits) ? commits.slice(0, mostCommits) : []).filter(
    (sha): sha is string => typeof sha === 'string' && sha1.test(sha),
  );
  const known = shas.map((sha) => Buffer.from(sha, 'hex'));
  return { branch: isName ? branch : null, isElsewhere: isElsewhere === true, commits: known };
}
