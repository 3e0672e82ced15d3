import { randomBytes } from 'node:crypto';
import type { Db } from '../../foundation/db/index.ts';
import { forbidden } from '../../foundation/http/index.ts';
import { pktLine } from '../../repository/objects/pkt-line.ts';
import type { GitStreams } from '../../repository/smart-http/index.ts';
import { ask, type Channel } from '../agent/channels.mjs';
import * as rows from '../state/index.ts';
import { readAsked } from './asked.ts';

type Open = (request: Record<string, unknown>) => Channel;

type Options = {
  db: Db;
  projectId: string;
  gitStreams: GitStreams;
  open: Open;
  onError(error: unknown, what: string): void;
};

/**
 * The person for whom git in a command acts. The token stands for this person only in this workspace, and only until
 * the command ends.
 */
export type GitPerson = { token: string; name: string; email: string };

export type ServedGit = {
  /** Null if the account is gone or suspended. */
  grant(userId: string): Promise<GitPerson | null>;
  /** Waits until the command or terminal with this id has ended, and forgets its token. */
  endWith(id: string, token: string): Promise<void>;
  forget(token: string): void;
};

const mostTokens = 1_000;
/**
 * The most conversations that one workspace can have at the same time. Further requests are refused with a message.
 * Requests beyond `mostStreams` get no answer.
 */
const mostServed = 8;
const mostStreams = 32;
const longestRunMs = 24 * 3_600_000;
const longestStreamMs = 45 * 60_000;
const lingerMs = 10_000;

/** Serves the repository to git in a workspace, through the agent. */
export function serveGit({ db, projectId, gitStreams, open, onError }: Options): ServedGit {
  const tokens = new Map<string, string>();
  /** For each token, the stream that reports the end of its command. */
  const ends = new Map<string, Channel>();
  let [streams, served] = [0, 0];

  open({ kind: 'watch_git' }).on('control', (message: unknown) => {
    const asked = readAsked(message);
    if (!asked || streams >= mostStreams) return;
    streams += 1;
    const stream = open({ kind: 'git', id: asked.id });
    const gone = new AbortController();
    const late = setTimeout(() => stream.destroy(), longestStreamMs);
    stream.on('close', () => {
      streams -= 1;
      clearTimeout(late);
      gone.abort();
    });
    // Both sides should end a stream. If the client does not, the stream is destroyed after a pause.
    stream.on('finish', () => setTimeout(() => stream.destroy(), lingerMs).unref());
    serve(asked, stream, gone.signal).catch((error: unknown) => {
      stream.destroy();
      onError(error, 'failed to serve git to a workspace');
    });
  });

  async function serve(asked: NonNullable<ReturnType<typeof readAsked>>, stream: Channel, signal: AbortSignal) {
    const userId = tokens.get(asked.token);
    const refuse = (reason: string) => void stream.end(pktLine(`ERR ${reason}`));
    if (userId === undefined) return refuse('the command that started this git process has ended');
    if (served >= mostServed) return refuse('too many git commands at the same time; try again in a moment');
    served += 1;
    const stillHolds = async () => {
      if (!tokens.has(asked.token)) throw forbidden('The command that started this git process has ended');
      if (!(await rows.findPerson(db, userId))) throw forbidden('The account is suspended');
    };
    const { version, has } = asked;
    const conversation = { userId, projectId, stream, version, has, signal, stillHolds };
    await gitStreams[asked.service](conversation).finally(() => {
      served -= 1;
    });
  }

  function forget(token: string): void {
    tokens.delete(token);
    ends.get(token)?.destroy();
    ends.delete(token);
  }

  return {
    async grant(userId) {
      const person = await rows.findPerson(db, userId);
      if (!person) return null;
      const token = randomBytes(24).toString('base64url');
      tokens.set(token, userId);
      const [oldest] = tokens.size > mostTokens ? tokens.keys() : [];
      if (oldest !== undefined) forget(oldest);
      return { token, ...person };
    },
    async endWith(id, token) {
      const waiting = open({ kind: 'wait', id, ms: longestRunMs });
      ends.set(token, waiting);
      // The agent reports the end of the command. It is not trusted, so the token is forgotten after this time in any
      // case.
      const late = setTimeout(forget, longestRunMs, token).unref();
      waiting.on('close', () => clearTimeout(late));
      await ask(waiting).catch(() => undefined);
      forget(token);
    },
    forget,
  };
}
