import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Session } from '@bottega/sdk';
import type { WebSocketConstructor } from '@bottega/sdk/live';
import type { Command } from 'commander';
import { type Connection, type Context, connect } from '../context.ts';
import { placeOf } from '../files/below.ts';
import { makeFolder } from '../files/written.ts';
import { projectOf } from '../project/find-project.ts';
import { findLink, writeLink } from '../project/link.ts';
import { keepSame } from '../session/keep-same.ts';
import type { Told } from '../session/sync.ts';
import { Failure } from '../terminal/failure.ts';
import { shellWord } from '../terminal/shell.ts';
import { printable } from '../terminal/text.ts';
import { type Run, withExamples } from './command.ts';

export function addSessionCommands(program: Command, run: Run): void {
  const sessions = program
    .command('session')
    .summary('edit together in your own editor')
    .description('Keep a folder and a live session in sync. All participants can edit in their own editors.');

  const start = sessions
    .command('start')
    .description(
      'Start a live session for this project and keep this folder in sync with it until you press Ctrl-C. The ' +
        'session continues after you stop.',
    )
    .option('--name <name>', 'name of the session', 'Live')
    .option('--branch <branch>', 'branch to edit; default: main')
    .action(run(startSession));
  withExamples(start, 'btg session start', 'btg session start --name "Pairing on the cart"');

  const join = sessions
    .command('join')
    .description('Join a live session and keep a folder in sync with it until you press Ctrl-C.')
    .argument('<session>', 'session id or invite link')
    .argument('[folder]', 'a folder that is linked to the project, or an empty folder', '.')
    .action(run(joinSession));
  withExamples(join, 'btg session join ses_01jd2m6vz8e3r9x5k7q4w1t0ab', 'btg session join "$LINK" shop');
}

type Start = { name: string; branch?: string };

async function startSession(context: Context, { name, branch }: Start): Promise<void> {
  const connection = await connect(context);
  const id = await projectOf(context, connection);
  const root = await folderOf(context, connection, id, '.');
  const session = await connection.client.sessions.create({
    name,
    workspace_id: id,
    ...(branch !== undefined && { branch }),
  });
  if (session.invite_link) context.output.note(`Others join with btg session join ${shellWord(session.invite_link)}`);
  await keep(context, connection, { session, root });
}

async function joinSession(context: Context, named: string, folder: string): Promise<void> {
  const connection = await connect(context);
  const { id, inviteToken } = sessionMeant(named);
  const input = inviteToken === undefined ? {} : { invite_token: inviteToken };
  await connection.client.participants.join(id, input);
  const session = await connection.client.sessions.get(id);
  const root = await folderOf(context, connection, session.workspace_id, folder);
  await keep(context, connection, { session, root });
}

function sessionMeant(named: string): { id: string; inviteToken: string | undefined } {
  const [id] = /ses_[a-z0-9]+/.exec(named) ?? [];
  if (id === undefined) throw new Failure('usage', `${printable(named)} is neither a session id nor an invite link.`);
  const inviteToken = URL.canParse(named) ? new URL(named).searchParams.get('invite') : null;
  return { id, inviteToken: inviteToken ?? undefined };
}

/** Throws if the folder does not belong to the project, because its files would be sent to everybody in the session. */
async function folderOf({ io }: Context, { baseUrl }: Connection, projectId: string, named: string): Promise<string> {
  const root = resolve(io.cwd, named);
  const found = await findLink(root);
  if (found?.link.url === baseUrl && found.link.project_id === projectId) return found.folder;
  if (root !== io.cwd) await makeFolder(placeOf(io.cwd, named));
  if (found?.folder === root || (await readdir(root)).length > 0) {
    throw new Failure(
      'conflict',
      `${root} is not linked to this project. All its files would be sent to the session.`,
      `Use an empty folder, or link this folder to the project: btg link ${shellWord(projectId)}`,
    );
  }
  await writeLink(root, { url: baseUrl, project_id: projectId });
  return root;
}

type Place = { session: Session; root: string };

async function keep(context: Context, { client }: Connection, { session, root }: Place): Promise<void> {
  const { io, output } = context;
  const { session_id: id, workspace_id: projectId, branch } = session;
  const { session_info } = await client.participants.join(id);
  const mayWrite = session_info.permissions.write;
  const live = await client.sessions.join(id, { WebSocket: await webSocket() });
  if (!mayWrite) output.note('You have read-only access. Your changes are stored next to the files and are not sent.');
  await keepSame({
    ...{ root, client, projectId, branch, live, mayWrite, signal: io.signal },
    tell: (told) => output.line(told, () => toldInWords(told)),
    note: output.note,
    onReady: () => output.note(`${root} and the session ${printable(session.name)} (${id}) are in sync`),
  });
  io.signal.throwIfAborted();
}

/** Largest message, in bytes. It is enough for a text of 2 MiB, however it is escaped. */
const largestMessage = 16 * 1024 * 1024;
const patienceMs = 30_000;

/**
 * The WebSocket class. Node's own, if it has one, limits neither the length of a message nor the time to connect, so it
 * is not used.
 */
async function webSocket(): Promise<WebSocketConstructor> {
  const { WebSocket } = await import('ws');
  const bounds = { maxPayload: largestMessage, handshakeTimeout: patienceMs, perMessageDeflate: false };
  return class extends WebSocket {
    constructor(url: string) {
      super(url, bounds);
    }
  } as unknown as WebSocketConstructor;
}

function toldInWords(told: Told): string {
  const path = printable(told.path);
  if (told.kind === 'conflict')
    return `conflict  ${path} was changed on both sides; your version is in ${printable(told.kept)}`;
  if (told.kind === 'left alone') return `skipped  ${path}: ${printable(told.why)}`;
  return `${told.kind}  ${path}`;
}
