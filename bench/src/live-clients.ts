import { WebSocket } from 'ws';
import * as Y from 'yjs';
import { figuresOf } from './measure.ts';

/** Load sockets that parse as little as possible, so that the server is measured. */

export type Room = { url: string; headers: Record<string, string>; path: string };

export function connect({ url, headers }: Room): Promise<WebSocket> {
  const ws = new WebSocket(url, { headers });
  return new Promise((resolve, reject) => {
    ws.once('open', () => resolve(ws));
    ws.once('error', reject);
  });
}

export async function connectAll(room: Room, count: number): Promise<WebSocket[]> {
  const all: WebSocket[] = [];
  while (all.length < count) {
    all.push(...(await Promise.all(Array.from({ length: Math.min(20, count - all.length) }, () => connect(room)))));
  }
  return all;
}

export async function closeAll(sockets: WebSocket[]): Promise<void> {
  await Promise.all(
    sockets.map((ws) => {
      const closed = new Promise((resolve) => ws.once('close', resolve));
      ws.close();
      return closed;
    }),
  );
}

const appliedAck = Buffer.from('"durable":false');

/** Writers with some edits in flight each; measures edits per second that are applied and sent to everyone. */
export async function fanOut(
  room: Room,
  { size, writers, seconds }: { size: number; writers: number; seconds: number },
) {
  const sockets = await connectAll(room, size);
  const [inFlight, position] = [4, { line: 1, column: 1 }];
  let [applied, isOver] = [0, false];
  for (const ws of sockets.slice(0, writers)) {
    let seq = 0;
    const edit = () => {
      const isInsert = seq % 2 === 0;
      const change = isInsert
        ? { type: 'insert', position, text: 'x' }
        : { type: 'delete', position, end: { line: 1, column: 2 } };
      ws.send(JSON.stringify({ type: 'code_change', file_path: room.path, changes: [change], seq: seq++ }));
    };
    ws.on('message', (data: Buffer) => {
      if (!data.includes(appliedAck)) return;
      applied += 1;
      if (!isOver) edit();
    });
    for (let count = 0; count < inFlight; count++) edit();
  }
  // Time for V8 to compile hot code.
  await pause(1500);
  const [before, begun] = [applied, performance.now()];
  await pause(seconds * 1000);
  const perSecond = (applied - before) / ((performance.now() - begun) / 1000);
  isOver = true;
  await pause(200);
  await closeAll(sockets);
  return perSecond;
}

/** This number of writers who type once a second; measures how long an edit takes to reach another of them. */
export async function latency(room: Room, { writers, seconds }: { writers: number; seconds: number }) {
  const sockets = await connectAll(room, writers);
  const [first, second] = sockets;
  const times: number[] = [];
  const sent = new Map<string, number>();
  const hear = (data: Buffer) => {
    const text = /"text":"<(\d+)>"/.exec(data.toString())?.[1];
    const at = text === undefined ? undefined : sent.get(text);
    if (at === undefined || text === undefined) return;
    sent.delete(text);
    times.push(performance.now() - at);
  };
  first?.on('message', hear);
  let number = 0;
  const typing = sockets.map((ws, index) => {
    const type = () => {
      const name = String(number++);
      // A writer does not receive its own edits; another one does.
      if (ws !== first) sent.set(name, performance.now());
      const changes = [{ type: 'insert', position: { line: 1, column: 1 }, text: `<${name}>` }];
      ws.send(JSON.stringify({ type: 'code_change', file_path: room.path, changes, seq: number }));
    };
    let timer = setTimeout(
      () => {
        type();
        timer = setInterval(type, 1000);
      },
      (1000 * index) / writers,
    );
    return () => clearInterval(timer);
  });
  await pause(2000);
  times.length = 0;
  await pause(seconds * 1000);
  for (const stop of typing) stop();
  await pause(300);
  second?.removeAllListeners();
  await closeAll(sockets);
  return { ...figuresOf(times), perSecond: times.length / seconds };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Frames of a Yjs client: it requests the document, and then sends its edits. */
function framesOf(path: string, edits: number): { opening: Uint8Array[]; updates: Uint8Array[] } {
  const name = Buffer.from(path);
  const frame = (...parts: number[][]) => new Uint8Array([name.length, ...name, ...parts.flat()]);
  const length = (bytes: Uint8Array) => {
    const digits: number[] = [];
    let left = bytes.length;
    for (; left > 127; left = Math.floor(left / 128)) digits.push((left % 128) + 128);
    return [...digits, left];
  };
  const document = new Y.Doc();
  const updates: Uint8Array[] = [];
  document.on('update', (update: Uint8Array) => updates.push(frame([0, 2], length(update), [...update])));
  // As people type: each character after the previous one.
  for (let count = 0; count < edits; count++) document.getText('content').insert(count, 'x');
  const [token, version, vector] = [[1, 120], [1, 52], [0]];
  return { opening: [frame([2, 0], token, version), frame([0, 0], [vector.length], vector)], updates };
}

/** Writers that send everything at once; measures confirmed updates per second, with others reading along. */
export async function yjsUpdates(
  room: Room,
  { size, writers, edits }: { size: number; writers: number; edits: number },
): Promise<number> {
  const sockets = await connectAll(room, size);
  const name = Buffer.byteLength(room.path);
  let [ready, confirmed] = [0, 0];
  const frames = sockets.map((_ws, index) => framesOf(room.path, index < writers ? edits : 0));
  for (const [index, ws] of sockets.entries()) {
    ws.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) return;
      if (data[name + 1] === 8) confirmed += 1;
      // The service asks for the client's state: the client is now connected.
      if (data[name + 1] === 0 && data[name + 2] === 0) ready += 1;
    });
    for (const frame of frames[index]?.opening ?? []) ws.send(frame);
  }
  while (ready < size) await pause(5);
  confirmed = 0;
  const begun = performance.now();
  for (let count = 0; count < edits; count++) {
    for (let writer = 0; writer < writers; writer++) sockets[writer]?.send(frames[writer]?.updates[count] ?? '');
    if (count % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
  }
  while (confirmed < writers * edits) await pause(2);
  const perSecond = (writers * edits) / ((performance.now() - begun) / 1000);
  await closeAll(sockets);
  return perSecond;
}
