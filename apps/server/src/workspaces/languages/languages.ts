import { type WorkspaceLanguage, workspaceLanguages } from '@bottega/contract';
import type { Channel } from '../agent/channels.mjs';
import { createGathered } from '../agent/gathered.mjs';
import type { DiskChange } from './disk-news.ts';
import { createHub, type Hub } from './hub.ts';
import type { InstalledLanguages } from './installed.ts';
import { knownLanguages, languagesInside } from './known-languages.ts';
import { LanguageError } from './language-error.ts';
import { fieldsOf } from './messages.ts';
import { type Problem, problemOf } from './problem-view.ts';

type Options = {
  installed: InstalledLanguages;
  /** Opens a stream of the workspace's agent. */
  open(request: Record<string, unknown>): Channel;
  memoryBytes: number;
  /** The files of the workspace that git tracks. */
  paths(): Iterable<string>;
  /** Resolves once the disk has what the branch has. */
  pull(): Promise<unknown>;
  onUse(): void;
  onError(error: unknown): void;
};

/** The language servers of a running workspace. */
export type Languages = {
  /** Serves a stream that is about language servers. False if the stream is about something else. */
  serve(from: Channel): boolean;
  diskChanged(change: DiskChange): void;
  stop(): void;
};

/** The share of the workspace's memory that a server may use. */
const memoryShare = 0.5;
const mostFiles = 500;
const mostProblems = 1_000;
const mostFileBytes = 2 * 2 ** 20;

export function createLanguages({ installed, open, memoryBytes, ...around }: Options): Languages {
  const hubs = new Map<WorkspaceLanguage, Hub>();

  function hubOf(language: WorkspaceLanguage): Hub {
    const { directory, start } = knownLanguages[language];
    const memory = Math.floor(memoryBytes * memoryShare);
    const hub =
      hubs.get(language) ??
      createHub({
        ...around,
        language,
        read: (path) => readText(open({ kind: 'read', path, max_bytes: mostFileBytes })),
        async open() {
          await installed.prepare(language);
          const { command, env } = start(`${languagesInside}/${directory}`, memory);
          return open({ kind: 'language_server', command, env, memory_bytes: memory });
        },
      });
    hubs.set(language, hub);
    return hub;
  }

  async function problems(channel: Channel): Promise<void> {
    const { language, path } = channel.request as { language: WorkspaceLanguage; path: string | null };
    const { extensions } = knownLanguages[language];
    around.onUse();
    await around.pull();
    const all = path !== null ? [path] : filesWith(extensions, around.paths());
    const found = await hubOf(language).problemsOf(all.slice(0, mostFiles));
    if (path !== null && found.length === 0) return channel.fail({ code: 'NOT_FOUND', message: 'File not found' });
    const data: Problem[] = found.flatMap(({ path: file, items }) => items.map((item) => problemOf(file, item)));
    const truncated = all.length > mostFiles || data.length > mostProblems;
    channel.write(Buffer.from(JSON.stringify({ data: data.slice(0, mostProblems), truncated })));
    channel.finish({});
  }

  return {
    serve(from) {
      const { kind, language } = from.request as { kind: string; language: WorkspaceLanguage };
      if (kind !== 'language' && kind !== 'diagnostics') return false;
      if (!workspaceLanguages.includes(language)) from.fail({ code: 'UNKNOWN', message: 'Unknown language' });
      else if (kind === 'language') hubOf(language).connect(from);
      else {
        from.resume();
        problems(from).catch((error: unknown) => {
          if (!(error instanceof LanguageError)) around.onError(error);
          const message = error instanceof LanguageError ? error.message : 'The problems could not be read';
          from.fail({ code: 'UNAVAILABLE', message });
        });
      }
      return true;
    },
    diskChanged(change) {
      for (const hub of hubs.values()) hub.diskChanged(change);
    },
    stop() {
      for (const hub of hubs.values()) hub.stop();
    },
  };
}

const filesWith = (extensions: readonly string[], paths: Iterable<string>): string[] =>
  [...paths].filter((path) => extensions.some((extension) => path.endsWith(extension))).sort();

/** The text of a file. Null if the agent does not return one. */
async function readText(channel: Channel): Promise<string | null> {
  const gathered = createGathered();
  channel.end();
  channel.on('data', (chunk: Buffer) => {
    gathered.add(chunk);
    if (gathered.length() > mostFileBytes) channel.destroy();
  });
  try {
    const { entries } = fieldsOf(await channel.result);
    return entries === undefined ? gathered.bytes().toString() : null;
  } catch {
    return null;
  }
}
