// @ts-check
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** The socket at which git's programs in this workspace reach the agent. */
export const doorPath = '/tmp/.bottega-git.sock';

const mostWaiting = 16;
const mostBytes = 32_768;
const longestMs = 30_000;

/**
 * @typedef {import('./channels.mjs').Channel} Channel
 * @typedef {import('node:net').Socket} Socket
 * @typedef {{ token: string, name: string, email: string }} GitPerson
 */

/**
 * Passes git's conversations with `origin` on to the service. The first line of a connection contains the request and a
 * token for the person. The service decides whether to allow it, and opens a stream for it.
 */
export function createGitDoor() {
  /** @type {Map<number, Socket>} */
  const waiting = new Map();
  /** @type {Channel | null} */
  let service = null;
  let number = 0;

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    if (!service || waiting.size >= mostWaiting) return void socket.destroy();
    const late = setTimeout(() => socket.destroy(), longestMs);
    readLine(socket, (line) => {
      const id = ++number;
      waiting.set(id, socket);
      socket.on('close', () => waiting.delete(id));
      service?.control({ id, line });
    });
    socket.on('close', () => clearTimeout(late));
    socket.once('taken', () => clearTimeout(late));
  });

  return {
    /** From now on, the service is told about connections through this channel. @param {Channel} channel */
    watch(channel) {
      service = channel;
      if (server.listening) return;
      rmSync(doorPath, { force: true });
      server.on('error', () => undefined);
      server.listen(doorPath);
    },
    /** Connects a stream of the service to the program that waits for it. @param {Channel} channel */
    take(channel) {
      const socket = waiting.get(channel.request.id);
      if (!socket) return void channel.destroy();
      waiting.delete(channel.request.id);
      socket.emit('taken');
      channel.on('error', () => socket.destroy());
      channel.on('close', () => socket.destroy());
      socket.on('error', () => channel.destroy());
      socket.on('close', () => channel.destroy());
      socket.pipe(channel).pipe(socket);
      // The program's end of input may have arrived before this stream.
      if (socket.readableEnded) channel.end();
    },
  };
}

/**
 * Reads one line. The bytes after it stay in the socket.
 * @param {Socket} socket
 * @param {(line: string) => void} onLine
 */
function readLine(socket, onLine) {
  let seen = Buffer.alloc(0);
  const read = () => {
    for (let chunk = socket.read(); chunk; chunk = socket.read()) {
      seen = Buffer.concat([seen, chunk]);
      const at = seen.indexOf(10);
      if ((at === -1 ? seen.length : at) > mostBytes) return void socket.destroy();
      if (at === -1) continue;
      socket.off('readable', read);
      socket.unshift(seen.subarray(at + 1));
      return onLine(seen.toString('utf8', 0, at));
    }
  };
  socket.on('readable', read);
}

/**
 * The variables of a person's command. They tell the service who the person is, and git who the author is. The author
 * is in the settings of git with the lowest precedence, so that a person's own settings override it.
 * @param {GitPerson | null | undefined} person
 * @returns {Record<string, string>}
 */
export function variablesOf(person) {
  if (!person) return {};
  const { token, name, email } = person;
  const quoted = (/** @type {string} */ text) => `"${text.replaceAll(/[\n\r\0]/g, ' ').replaceAll(/["\\]/g, '\\$&')}"`;
  const settings = `[user]\n\tname = ${quoted(name)}\n\temail = ${quoted(email)}\n`;
  const file = `/tmp/.bottega-git-${createHash('sha256').update(settings).digest('hex').slice(0, 16)}`;
  try {
    writeFileSync(file, settings);
  } catch {
    return { BOTTEGA_GIT_TOKEN: token };
  }
  return { BOTTEGA_GIT_TOKEN: token, GIT_CONFIG_SYSTEM: file };
}
