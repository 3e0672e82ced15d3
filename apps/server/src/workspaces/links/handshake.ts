import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';

/**
 * A node that connects to a worker proves that it has the service's key, and the worker proves the same to the node.
 * Each side sends one line. A line is valid only for this workspace, only once and only for half a minute, so whoever
 * has read it cannot use it again.
 */

const longestMs = 30_000;
const mostBytes = 4_096;

export type LinkKey = Buffer;

export const linkKeyOf = (secretKey: Buffer): LinkKey =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'bottega workspaces', 32));

const macOf = (key: LinkKey, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

function isEqual(given: unknown, expected: string): boolean {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The node's side of the handshake. Resolves once the worker has proved that it has the key. */
export async function introduce(socket: Socket, key: LinkKey, workspaceId: string): Promise<void> {
  const hello = { workspace: workspaceId, at: Date.now(), nonce: randomBytes(16).toString('base64url') };
  const text = JSON.stringify(hello);
  socket.write(`${JSON.stringify({ text, mac: macOf(key, `node ${text}`) })}\n`);
  const { mac } = await readLine(socket);
  if (!isEqual(mac, macOf(key, `worker ${text}`))) throw new Error('the worker of a workspace has another key');
}

/**
 * Returns a function that tells whether an introduction is seen for the first time. Call it only for introductions with
 * a valid proof, because it remembers each one.
 */
export function createFirstSeen(): (mac: string) => boolean {
  const seen = new Map<string, number>();
  return (mac) => {
    const now = Date.now();
    for (const [one, until] of seen) {
      if (until > now) break;
      seen.delete(one);
    }
    if (seen.has(mac)) return false;
    // Twice the validity, because the clocks of both sides may differ by as much as an introduction is valid.
    seen.set(mac, now + 2 * longestMs);
    return true;
  };
}

/** The worker's side of the handshake. Resolves with the id of the workspace that the node wants to reach. */
export async function welcome(
  socket: Socket,
  key: LinkKey,
  isFirst: ReturnType<typeof createFirstSeen>,
): Promise<string> {
  const { text, mac } = await readLine(socket);
  if (typeof text !== 'string' || !isEqual(mac, macOf(key, `node ${text}`))) throw new Error('a node has another key');
  const { workspace, at } = JSON.parse(text) as { workspace: string; at: number };
  if (Math.abs(Date.now() - at) > longestMs) throw new Error('a node sent an old introduction');
  if (!isFirst(String(mac))) throw new Error('a node repeated an introduction');
  socket.write(`${JSON.stringify({ mac: macOf(key, `worker ${text}`) })}\n`);
  return workspace;
}

/** Reads one line. The bytes after it stay in the socket. */
function readLine(socket: Socket): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const late = setTimeout(() => end(new Error('the introduction took too long')), 5_000);
    const end = (error: Error | null, value: Record<string, unknown> = {}) => {
      clearTimeout(late);
      socket.off('readable', read).off('error', end).off('close', closed);
      if (error) reject(error);
      else resolve(value);
    };
    const closed = () => end(new Error('the connection was closed'));
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk; chunk = socket.read() as Buffer | null) {
        seen = Buffer.concat([seen, chunk]);
        const at = seen.indexOf(10);
        if (at === -1 && seen.length > mostBytes) return end(new Error('the introduction is too long'));
        if (at === -1) continue;
        socket.unshift(seen.subarray(at + 1));
        try {
          return end(null, JSON.parse(seen.toString('utf8', 0, at)) as Record<string, unknown>);
        } catch (error) {
          return end(error as Error);
        }
      }
    };
    socket.on('readable', read).on('error', end).on('close', closed);
  });
}
