import type { WorkspaceLanguage } from '@bottega/contract';
import type { Channel } from '../agent/channels.mjs';
import { type Client, connectClient, type Ready } from './client.ts';
import { createDiskNews, type DiskChange } from './disk-news.ts';
import type { Document, Room } from './documents.ts';
import { knownLanguages, languageIdOf } from './known-languages.ts';
import { LanguageError } from './language-error.ts';
import type { Fields } from './messages.ts';
import { createProblems, pull } from './problems.ts';
import { startServer } from './server.ts';
import { createServerLife } from './server-life.ts';
import { type Asker, createTurns } from './turns.ts';

type Options = {
  language: WorkspaceLanguage;
  /** Starts the server in the workspace. Rejects with a LanguageError if it is not installed. */
  open(): Promise<Channel>;
  /** The files of the workspace. */
  paths(): Iterable<string>;
  /** The text of a file on the disk. Null if there is no such file. */
  read(path: string): Promise<string | null>;
  onUse(): void;
  onError(error: unknown): void;
};

/** One language server of a workspace for all its clients. */
export type Hub = {
  connect(channel: Channel): void;
  /** The problems of these files, with the content that they have on the disk. Files that do not exist are left out. */
  problemsOf(paths: readonly string[]): Promise<{ path: string; items: Fields[] }[]>;
  diskChanged(change: DiskChange): void;
  stop(): void;
};

const mostClients = 50;
const mostCharacters = 64 * 2 ** 20;
/** The number of files whose problems are requested at the same time. */
const atOnce = 8;

export function createHub({ language, open, paths, read, onUse, onError }: Options): Hub {
  const clients = new Set<Client>();
  const room: Room = { free: mostCharacters };
  const life = createServerLife({
    start,
    isUsed: () => clients.size > 0,
    onStatus: (status) => {
      for (const client of clients) client.notify('$/status', status);
      if (status.state === 'ready') problems.touch();
    },
    onError,
  });
  const problems = createProblems({ clients: () => clients, ready: life.current, onError });
  const news = createDiskNews(paths, async (changes) => {
    (await life.current())?.server.notify('workspace/didChangeWatchedFiles', { changes });
    problems.touch();
  });

  async function start(): Promise<Ready> {
    const server = await startServer({
      channel: await open(),
      known: knownLanguages[language],
      onPublished: problems.published,
      onRefresh: problems.touch,
      onInstalled: news.installed,
      onFailed: (reason) => life.fail(reason, false),
    });
    return { server, turns: createTurns(server) };
  }

  async function changed(): Promise<void> {
    const ready = await life.current();
    ready?.turns.close((path) => [...clients].some(({ documents }) => documents.has(path)));
    problems.touch();
  }

  return {
    connect(channel) {
      if (clients.size >= mostClients) {
        return channel.fail({ code: 'CLOSED', message: `At most ${mostClients} clients can use a language server` });
      }
      const client = connectClient(channel, {
        room,
        ready: life.ready,
        onUse,
        onChange: () => void changed(),
        onClose(one) {
          clients.delete(one);
          void changed();
          life.restLater();
        },
      });
      clients.add(client);
    },
    async problemsOf(wanted) {
      const ready = await life.ready();
      await news.flush();
      const found: { path: string; items: Fields[] }[] = [];
      for (let from = 0; from < wanted.length; from += atOnce) {
        const asker = { documents: await documentsOf(wanted.slice(from, from + atOnce), read) };
        const all = [...asker.documents.keys()];
        found.push(
          ...(await Promise.all(all.map(async (path) => ({ path, items: await pulled(ready, asker, path) })))),
        );
      }
      void changed();
      life.restLater();
      return found;
    },
    diskChanged: news.add,
    stop() {
      life.stop();
      for (const client of clients) client.end('The workspace stopped');
    },
  };
}

async function documentsOf(paths: readonly string[], read: Options['read']): Promise<Map<string, Document>> {
  const texts = await Promise.all(paths.map(async (path) => [path, await read(path)] as const));
  return new Map(
    texts.flatMap(([path, text]) =>
      text === null ? [] : [[path, { text, languageId: languageIdOf(path), version: null }] as const],
    ),
  );
}

/** Asks several times, because a server that was just started may have no answer yet. */
async function pulled(ready: Ready, asker: Asker, path: string): Promise<Fields[]> {
  for (let tries = 0; tries < 5; tries++) {
    const items = await pull(ready, asker, path);
    if (items !== null) return items;
  }
  throw new LanguageError('The language server is busy; try again later');
}
