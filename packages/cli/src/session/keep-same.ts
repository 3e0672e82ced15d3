import { setTimeout as sleep } from 'node:timers/promises';
import { type Bottega, BottegaError } from '@bottega/sdk';
import type { LiveSession } from '@bottega/sdk/live';
import { maxOpen } from './live-texts.ts';
import { readLocal } from './local-files.ts';
import { createScanning, syncablePaths } from './looks.ts';
import type { Scan } from './scan.ts';
import { checksumOf, headOf, listServiceFiles } from './service-files.ts';
import { createSync, type Sync, type Told } from './sync.ts';
import { watchDirectories } from './watching.ts';

export type Keeping = {
  root: string;
  client: Bottega;
  projectId: string;
  branch: string | undefined;
  live: LiveSession;
  mayWrite: boolean;
  /** Ends the sync. Local changes are sent first. */
  signal: AbortSignal;
  tell(told: Told): void;
  note(text: string): void;
  onReady(): void;
};

/** Interval of checks for new commits. New commits reveal pushes, and changes to files that are not open. */
const lookMs = 5_000;

/** Keeps the folder and the session in sync until one of them ends. */
export async function keepSame(keeping: Keeping): Promise<void> {
  const { live, signal, note } = keeping;
  const ended = new AbortController();
  const ending = AbortSignal.any([signal, ended.signal]);
  const sync = createSync(keeping);
  const looking = createLooking(keeping, sync);

  let why: BottegaError | undefined;
  live.on('closed', (error) => {
    why = error;
    ended.abort();
  });
  // The session may have ended before the listener was added.
  if (live.status === 'closed') ended.abort();
  live.on('code_change', ({ file_path }) => looking.lookAt([file_path]));
  live.on('file_operation', ({ file_path, new_path = file_path }) => {
    sync.forgetText(file_path);
    looking.lookAt([file_path, new_path]);
  });
  live.on('status', (status) => {
    if (status === 'connecting') note('The connection was lost. btg sends your changes after it reconnects.');
    if (status === 'open') looking.again();
  });

  const watching = watchDirectories(
    () => void looking.atFolder().catch((error: Error) => note(error.message)),
    (error) => note(`${error.message}. btg checks for local changes every ${lookMs / 1000} s.`),
  );
  looking.onDirectories((directories) => watching.follow(directories));
  try {
    await looking.atFolder();
    await looking.atCommits();
    keeping.onReady();
    while (!ending.aborted) {
      await sleep(lookMs, undefined, { signal: ending }).catch(() => undefined);
      if (ended.signal.aborted) break;
      await looking.atFolder();
      if (!ending.aborted) await looking.atCommits().catch(onlyIfFinal);
    }
  } finally {
    watching.close();
    await live.close();
  }
  if (why?.code === 'UNEXPECTED_ANSWER') throw why;
  if (ended.signal.aborted && !signal.aborted) note('The session has ended.');
}

/**
 * Throws only final errors. The service may be down for a while. The session reconnects by itself, and the sync
 * continues too.
 */
function onlyIfFinal(error: unknown): void {
  const isFinal = error instanceof BottegaError && [401, 403, 404].includes(error.status ?? 0);
  if (isFinal || !(error instanceof BottegaError)) throw error;
}

/** Finds paths that may differ, and reconciles them. */
function createLooking({ root, client, projectId, branch, note }: Keeping, sync: Sync) {
  let known: Scan | undefined;
  let head: string | undefined;
  let follow: (directories: string[]) => void = () => undefined;
  const missed = new Set<string>();
  const look = createScanning(root, note);

  async function after(work: Promise<void>, path: string): Promise<void> {
    try {
      await work;
      missed.delete(path);
    } catch (error) {
      missed.add(path);
      const isAway = error instanceof BottegaError && error.code === 'CONNECTION_ERROR';
      if (!isAway) note(`${path}: ${(error as Error).message}`);
    }
  }

  async function lookAt(paths: Iterable<string>): Promise<void> {
    const wanted = await syncablePaths(paths, known);
    await Promise.all(wanted.map((path) => after(sync.reconcile(path), path)));
  }

  /** Renames files in the session that were renamed here: a text is gone from one path and is new at another. */
  async function renames(gone: string[], added: string[]): Promise<void> {
    const texts = new Map<string, string>();
    for (const path of gone) {
      const base = sync.baseOf(path);
      if (typeof base === 'string' && base !== '') texts.set(base, path);
    }
    for (const to of texts.size > 0 ? added : []) {
      const content = await readLocal(root, to);
      const from = content.kind === 'text' && sync.baseOf(to) === undefined ? texts.get(content.text) : undefined;
      if (from === undefined) continue;
      texts.delete(content.kind === 'text' ? content.text : '');
      await after(sync.rename(from, to), to);
    }
  }

  async function atFolder(): Promise<void> {
    const [before, now] = [known?.files ?? new Map<string, string>(), await look()];
    const isFirst = known === undefined;
    known = now;
    follow(now.directories);
    if (isFirst) return;
    // Also covers files that appeared and disappeared between two checks.
    const gone = sync.presentPaths().filter((path) => !now.files.has(path));
    const changed = [...now.files.keys()].filter((path) => before.get(path) !== now.files.get(path));
    await renames(
      gone,
      changed.filter((path) => !before.has(path)),
    );
    await lookAt([...gone, ...changed, ...missed]);
  }

  /** Compares everything the first time, and after that only what was committed since. */
  async function atCommits(): Promise<void> {
    const newest = await headOf(client, projectId, branch);
    const isFirst = head === undefined;
    if (!isFirst && newest === head) return;
    const there = await listServiceFiles(client, projectId, branch);
    const here = isFirst ? (known?.files.keys() ?? []) : [];
    const all = [...new Set([...there.keys(), ...here, ...sync.paths()])];
    // Live texts may be newer than their files. If there are few enough, all of them are opened.
    const differing = isFirst && all.length <= maxOpen ? all : [];
    if (differing.length === 0)
      for (const path of all) if (await mayDiffer(path, there.get(path))) differing.push(path);
    await lookAt(differing);
    head = newest;
  }

  async function mayDiffer(path: string, checksum: string | undefined): Promise<boolean> {
    const base = sync.baseOf(path);
    if (base !== undefined) return (base === null ? undefined : checksumOf(base)) !== checksum;
    if (checksum === undefined) return true;
    const content = await readLocal(root, path);
    if (content.kind !== 'text' || checksumOf(content.text) !== checksum) return true;
    sync.agree(path, content.text);
    return false;
  }

  return {
    atFolder,
    atCommits,
    lookAt: (paths: string[]) => void lookAt(paths),
    /** Call this after a lost connection, because changes during that time were not announced. */
    again(): void {
      head = undefined;
      void lookAt(missed);
    },
    onDirectories(listener: typeof follow): void {
      follow = listener;
    },
  };
}
