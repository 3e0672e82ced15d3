import { absolutePath, type File, plainDirectory, whyNotPath } from '@bottega/contract';
import type { Db } from '../../foundation/db/index.ts';
import { AppError, conflict, invalid, notFound, type Principal } from '../../foundation/http/index.ts';
import type { Content, DiskListing, DiskReads } from '../../repository/files/index.ts';
import { mimeTypeOf, nameOf } from '../../repository/store/index.ts';
import { ask, type Channel } from '../agent/channels.mjs';
import type { Links } from '../links/index.ts';
import { isReachable } from '../state/index.ts';
import { limited } from './commands.service.ts';
import { workspaceOfMember } from './workspaces.service.ts';

type Options = { db: Db; links: Links; fileLimit: number };

const mostEntries = 10_000;
const prefix = 'dsk_';
/** A file on a disk has no row, so its id is made from its path. */
const idOf = (path: string): string => prefix + Buffer.from(path).toString('base64url');

function pathOf(id: string): string {
  const path = id.startsWith(prefix) ? Buffer.from(id.slice(prefix.length), 'base64url').toString() : '';
  if (whyNotPath(path) !== null || idOf(path) !== id) throw notFound('File');
  return path;
}

/** Reads files on the disks of running workspaces, as programs in the workspaces see them. */
export function createDiskReads({ db, links, fileLimit }: Options): DiskReads {
  async function opener(principal: Principal, projectId: string, id: string) {
    const row = await workspaceOfMember(db, principal, { projectId, id });
    if (!isReachable(row)) throw conflict('The workspace is not running; start it to read its files');
    return async (request: Record<string, unknown>): Promise<Channel> => limited(await links.open(row, request));
  }

  return {
    async list(principal, projectId, { workspace, ...listing }) {
      const open = await opener(principal, projectId, workspace);
      const directory = plainDirectory(listing.path ?? '');
      const most = listing.limit === undefined ? mostEntries : listing.limit;
      const after = listing.cursor === undefined ? null : nameOf(listing.cursor);
      const request = { kind: 'list', path: directory, type: listing.type ?? null, after, most: most + 1 };
      const { entries } = await fromAgent(ask(await open(request)), 'Directory');
      const files = readEntries(entries, directory, most + 1);
      if (listing.limit === undefined && files.length > mostEntries) {
        throw invalid('limit', `is required, because the directory has more than ${mostEntries} entries`);
      }
      return files;
    },
    async read(principal, projectId, { workspace, id }) {
      const open = await opener(principal, projectId, workspace);
      const path = pathOf(id);
      const channel = await open({ kind: 'read', path: path.slice(1), max_bytes: fileLimit });
      const result = fromAgent(channel.result as Promise<Reported>, 'File');
      result.catch(() => undefined);
      const content = await bytesOf(channel, fileLimit);
      const { entries, modified_at } = await result;
      if (entries !== undefined) throw invalid('file_id', 'is a directory and has no content');
      return contentOf({ id, path, content, changedAt: dateOf(modified_at) });
    },
  };
}

/** A report of the agent. The agent is not trusted, so every field is checked. */
type Reported = Record<string, unknown>;

async function fromAgent(result: Promise<Reported>, what: string): Promise<Reported> {
  try {
    return (await result) ?? {};
  } catch (error) {
    const { code, isFromAgent, message } = error as Error & { code?: string; isFromAgent?: boolean };
    if (isFromAgent && code === 'TOO_LARGE') throw conflict('The file is too large to be read from the workspace');
    if (isFromAgent && code === 'NOT_FOUND') throw notFound(what);
    if (isFromAgent) throw conflict(String(message).slice(0, 500));
    throw new AppError('SERVICE_UNAVAILABLE', 'The workspace stopped during the request', { cause: error });
  }
}

async function bytesOf(channel: Channel, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  channel.end();
  try {
    for await (const chunk of channel) {
      size += (chunk as Buffer).length;
      if (size > most) throw new AppError('SERVICE_UNAVAILABLE', 'The workspace sent more data than was requested');
      parts.push(chunk as Buffer);
    }
  } catch (error) {
    // Otherwise the result of the stream says what happened.
    if (error instanceof AppError) throw error;
  }
  return Buffer.concat(parts);
}

const dateOf = (value: unknown): Date => new Date(Math.min(Math.max(Number(value) || 0, 0), 8_640_000_000_000));

function readEntries(entries: unknown, directory: DiskListing['path'], most: number): File[] {
  return (Array.isArray(entries) ? entries.slice(0, most) : []).flatMap((entry: Reported | null): File[] => {
    const path = absolutePath(`${directory}/${typeof entry?.name === 'string' ? entry.name : ''}`);
    if (!entry || whyNotPath(path) !== null) return [];
    const at = dateOf(entry.modified_at).toISOString();
    const named = { id: idOf(path), name: nameOf(path), path, created_at: at, updated_at: at };
    if (entry.type === 'directory') return [{ ...named, type: 'directory' }];
    const size = Number.isSafeInteger(entry.size) ? (entry.size as number) : 0;
    return [{ ...named, type: 'file', size: Math.max(0, size) }];
  });
}

type Read = { id: string; path: string; content: Buffer; changedAt: Date };

const contentOf = ({ id, path, content, changedAt }: Read): Content => ({
  file: {
    ...{ id, path, type: 'file', size: content.length, checksum: null },
    ...{ mime_type: mimeTypeOf(nameOf(path), content), created_at: changedAt, updated_at: changedAt },
  },
  load: () => content,
});
