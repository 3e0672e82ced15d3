import { WebSocket } from 'ws';
import type { Api } from './api.ts';
import type { Edit, Ledger } from './ledger.ts';
import { pause } from './writers.ts';

export type LiveFile = { branch: 'main' | 'work'; path: string };
type Client = {
  api: Api;
  ledger: Ledger;
  projectId: string;
  sessionId: string;
  file: LiveFile;
  isOver: () => boolean;
};

/** The file as the ledger and the auditor name it. */
export const nameOfLive = ({ branch, path }: LiveFile): string => (branch === 'main' ? path : `${branch}:${path}`);
type Message = { type: string; seq?: number; durable?: boolean; content?: string; file_path?: string };

const typeEveryMs = 150;
const openPatienceMs = 15_000;

/**
 * A user who types into a live text, one token a line, and reconnects whenever the connection is lost. Nothing is sent
 * again: an unacknowledged edit may be there or not.
 */
export async function edit(client: Client, name: string): Promise<void> {
  const { ledger, projectId, file, isOver } = client;
  let number = 0;
  while (!isOver()) {
    const socket = await open(client).catch(() => null);
    if (!socket) {
      ledger.refused('socket');
      await pause(300, isOver);
      continue;
    }
    const sent = new Map<number, Edit>();
    socket.onMessage((message) => acknowledge(sent, message));
    while (!isOver() && socket.isOpen()) {
      const token = `<${name}.${++number}>`;
      const one = { projectId, path: nameOfLive(file), token, applied: false, durable: false };
      ledger.edits.push(one);
      sent.set(number, one);
      const changes = [{ type: 'insert', position: { line: 1, column: 1 }, text: `${token}\n` }];
      socket.send({ type: 'code_change', file_path: file.path, changes, seq: number });
      await pause(typeEveryMs, isOver);
    }
    socket.close();
  }
}

function acknowledge(sent: ReadonlyMap<number, Edit>, { type, seq, durable }: Message): void {
  const one = type === 'ack' && seq !== undefined && sent.get(seq);
  if (!one) return;
  one.applied = true;
  if (durable) one.durable = true;
}

/** Opens the file, and checks rule L12: everything that was durable is there. */
async function open(client: Client) {
  const { ledger, projectId, file } = client;
  const path = nameOfLive(file);
  const durable = ledger.edits.filter((one) => one.durable && one.path === path && one.projectId === projectId);
  const socket = await connect(client);
  const text = await socket.state;
  const missing = durable.filter(({ token }) => !text.includes(token));
  for (const { token } of missing) ledger.broken.push(`${path} is opened without ${token}, which was durable`);
  return socket;
}

function connect({ api, sessionId, file }: Client) {
  const url = `${api.anyNode().url.replace('http', 'ws')}/v1/collaboration/sessions/${sessionId}/ws`;
  const ws = new WebSocket(url, { headers: { authorization: `Bearer ${api.key}` }, handshakeTimeout: openPatienceMs });
  let listener: (message: Message) => void = () => undefined;
  const state = new Promise<string>((resolve, reject) => {
    const tooLate = setTimeout(() => reject(new Error('no state of the file')), openPatienceMs);
    ws.on('open', () => ws.send(JSON.stringify({ type: 'open_file', file_path: file.path })));
    ws.on('message', (data: Buffer) => {
      const message: Message = JSON.parse(data.toString());
      if (message.type === 'file_state') {
        clearTimeout(tooLate);
        resolve(message.content ?? '');
      }
      listener(message);
    });
    ws.on('error', reject);
    ws.on('close', (code) => {
      clearTimeout(tooLate);
      reject(new Error(`closed with ${code}`));
    });
  });
  state.catch(() => ws.terminate());
  return {
    state,
    isOpen: () => ws.readyState === WebSocket.OPEN,
    send: (message: unknown) => ws.send(JSON.stringify(message)),
    onMessage(heard: (message: Message) => void) {
      listener = heard;
    },
    close: () => ws.close(),
  };
}

/** The text as a client that opens the file now sees it. */
export async function readText(client: Omit<Client, 'isOver'>): Promise<string> {
  const socket = connect({ ...client, isOver: () => true });
  try {
    return await socket.state;
  } finally {
    socket.close();
  }
}
